import type { Scope } from '../container/provider.js';
import { scope } from '../container/provider-rule.js';
import type { OptionSchema } from '../base/options/option-schema.js';
import { text } from '../base/options/rules.js';
import { recording, type ConcreteClassDecorator } from './recording.js';

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
