import { text } from '../base/options/rules.js';
import { recording, type MethodOnlyDecorator, type ParameterOnlyDecorator } from './recording.js';

const argOptions = { argument: text };

/**
 * Keeps a single object parameter as one property of the input. Without it, the object's properties become
 * the input. The compiler reads this decorator.
 *
 * @example
 * createPage(@Arg() page: CreatePageDto) { … }   // called with { "page": { … } }
 */
export function Arg(): ParameterOnlyDecorator;
/**
 * The same for standard decorators, which cannot stand before a parameter. It is written on the method.
 *
 * @param argument the name of the parameter
 * @example
 * @McpTool() @Arg('page') createPage(page: CreatePageDto) { … }
 */
export function Arg(argument: string): MethodOnlyDecorator;
export function Arg(argument?: string): ParameterOnlyDecorator & MethodOnlyDecorator {
  return recording({ kind: 'argument', options: { argument }, schema: argOptions }, Arg);
}
