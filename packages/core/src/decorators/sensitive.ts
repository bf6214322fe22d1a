import { noteSensitive } from '../base/metadata/sensitive-properties.js';
import type { MethodOnlyDecorator } from './recording.js';

/** A decorator for a property or a parameter. */
export interface PropertyOrParameterDecorator {
  (target: object, key: string | symbol | undefined, index?: number): void;
  (target: undefined, context: ClassFieldDecoratorContext): void;
}

/**
 * Marks a property or a parameter whose values are never repeated: not in messages about arguments, and not
 * in logs, the audit log, traces, explanations or generated clients. The doc tag `@sensitive` means the same.
 * Its schema gets `writeOnly`; in a result, the schema gets `x-sensitive`.
 *
 * @example
 * login(user: string, @Sensitive() password: string) { … }
 */
export function Sensitive(): PropertyOrParameterDecorator;
/**
 * The same for standard decorators, which cannot stand before a parameter. It is written on the method.
 *
 * @param argument the name of the parameter
 * @example
 * @McpTool() @Sensitive('password') login(user: string, password: string) { … }
 */
export function Sensitive(argument: string): MethodOnlyDecorator;
export function Sensitive(argument?: string): PropertyOrParameterDecorator & MethodOnlyDecorator {
  if (argument !== undefined)
    return (() => undefined) as unknown as PropertyOrParameterDecorator & MethodOnlyDecorator;
  return ((target: object | undefined, key: unknown, index?: unknown) => {
    const isProperty = target !== undefined && typeof index !== 'number';
    if (isProperty && (typeof key === 'string' || typeof key === 'symbol')) noteSensitive(target, key);
  }) as PropertyOrParameterDecorator & MethodOnlyDecorator;
}
