import type { ExtraServiceOptions } from '@toolwright/ground/base/extended';
import type { OptionSchema } from '@toolwright/ground/base/options/option-schema';
import { anyObject, anything, callback, required, text } from '@toolwright/ground/base/options/rules';
import type { Audience } from '@toolwright/ground/call/operation/operation';
import { isPlainObject } from '@toolwright/json';
import {
  injectOptions,
  scope,
  type InjectOptions,
  type InjectRecord,
  type Injected,
  type NamedInjectRecord,
  type NamedInjections,
  type Scope,
} from '../container/provider.js';
import {
  type ClassOnlyDecorator,
  type ClassOrMethodDecorator,
  type ConcreteClassDecorator,
  type ParameterOnlyDecorator,
  recording,
} from './recording.js';

export interface McpServiceOptions extends ExtraServiceOptions {
  /** Links the class to its manifest entry, for bundles that keep neither the class's name nor its module. */
  id?: string;
  /**
   * How long an instance lives. `singleton` (default): as long as the server. `request`: every call gets a
   * new instance, which is disposed when the call ends. `session`: every session of a client gets its own
   * instance, which is disposed when the session ends. Revision 2026-07-28 has no sessions.
   */
  scope?: Scope;
  /**
   * Who the class is for: callers for whom it returns `true` see and may use what its methods offer, for others it does not
   * exist. So two classes may have operations with one name, as long as no caller is meant by both. Default: everybody.
   *
   * @example
   * @McpService({ for: (principal) => principal?.tenant === 'acme' }) class AcmeTools { … }
   */
  for?: Audience;
}

export const mcpServiceOptions = { id: text, scope, for: callback } satisfies OptionSchema<
  Omit<McpServiceOptions, keyof ExtraServiceOptions>
>;

/**
 * Marks a class whose decorated methods the server offers. A policy on the class applies to all its methods.
 *
 * @example
 * @McpService() class PageTools { constructor(private readonly pages: PageStore) {} }
 */
export function McpService(options: McpServiceOptions = {}): ClassOnlyDecorator {
  return recording({ kind: 'service', options, schema: mcpServiceOptions }, McpService);
}

export interface InjectableOptions {
  /** Links the class to its manifest entry, for bundles that keep neither the class's name nor its module. */
  id?: string;
  /**
   * How long an instance lives. `singleton` (default): as long as the server. `request`: every call gets a
   * new instance, which is disposed when the call ends. `session`: every session of a client gets its own
   * instance, which is disposed when the session ends. Revision 2026-07-28 has no sessions.
   */
  scope?: Scope;
}

const injectableOptions = { id: text, scope } satisfies OptionSchema<InjectableOptions>;

/**
 * Lets the container build a class wherever a parameter has its type. The class need not be listed among the
 * providers.
 *
 * @example
 * @Injectable() class PageStore { constructor(private readonly database: Database) {} }
 */
export function Injectable(options: InjectableOptions = {}): ConcreteClassDecorator {
  return recording({ kind: 'injectable', options, schema: injectableOptions }, Injectable);
}

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
 * The same for standard decorators, which cannot stand before a parameter. On a class it names parameters of the
 * constructor, and on a method the method's parameters.
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
