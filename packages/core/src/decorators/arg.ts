import { recording, type ParameterOnlyDecorator } from './recording.js';

/**
 * Keeps a single object parameter as one property of the input. Without it, the object's properties become
 * the input. The compiler reads this decorator.
 *
 * @example
 * createPage(@Arg() page: CreatePageDto) { … }   // called with { "page": { … } }
 */
export function Arg(): ParameterOnlyDecorator {
  return recording({ kind: 'argument', options: {} }, Arg);
}
