import type {
  Injected,
  InjectOptions,
  InjectRecord,
  NamedInjectRecord,
  NamedInjections,
} from '../container/inject-record.js';
import { injectOptions } from '../container/provider-rule.js';
import { isPlainObject } from '../base/is-plain-object.js';
import { anyObject, anything, required } from '../base/options/rules.js';
import type { OptionSchema } from '../base/options/option-schema.js';
import { recording, type ClassOrMethodDecorator, type ParameterOnlyDecorator } from './recording.js';

/** A value that is not a token is reported at the place where it is injected. */
const injectRecordOptions = { ...injectOptions, token: anything };
const namedRecordOptions = { tokens: required(anyObject) } satisfies OptionSchema<NamedInjectRecord>;

/**
 * Names the token that the container passes as a parameter. Use it where the parameter's type cannot name it:
 * for an interface, a value, or one choice among several. Write it before a parameter of a constructor or of
 * a decorated method. The method's schema then leaves this parameter out.
 *
 * @param token a class, `Token`, string or symbol; or a function that returns one, for a class that is
 * declared further down in the file
 * @example
 * constructor(@Inject(DATABASE) private readonly database: Database) {}
 * @McpTool() find(query: string, @Inject(CLOCK) clock: Clock) { … }   // the client sends only `query`
 */
export function Inject(token: Injected, options?: InjectOptions): ParameterOnlyDecorator;
/**
 * The same for standard decorators, which cannot stand before a parameter. On a class it names parameters of
 * the constructor, on a method those of the method.
 *
 * @param tokens by the names of the parameters; `{ token, optional: true }` for an optional one
 * @example
 * @McpService() @Inject({ database: DATABASE }) class PageTools { constructor(private database: Database) {} }
 */
export function Inject(tokens: NamedInjections): ClassOrMethodDecorator;
export function Inject(
  given: Injected | NamedInjections,
  options: InjectOptions = {},
): ParameterOnlyDecorator | ClassOrMethodDecorator {
  if (typeof given === 'object' && given !== null && isPlainObject(given)) {
    const record: NamedInjectRecord = { tokens: given as NamedInjections };
    return recording({ kind: 'injections', options: record, schema: namedRecordOptions }, Inject);
  }
  const record: InjectRecord = { ...options, token: given as Injected };
  return recording({ kind: 'inject', options: record, schema: injectRecordOptions }, Inject);
}
