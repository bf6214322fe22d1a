import { recording, type ParameterOnlyDecorator } from './recording.js';

/**
 * Keeps a single object parameter as one property of the input, instead of making its properties the input. Read by
 * the compiler.
 *
 * @example
 * createPage(@Arg() page: CreatePageDto) { … }   // called with { "page": { … } }
 */
export function Arg(): ParameterOnlyDecorator {
  return recording({ kind: 'argument', options: {} }, Arg);
}
