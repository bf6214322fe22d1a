import type { Scope } from '../container/provider.js';
import { scope } from '../container/provider-rule.js';
import type { OptionSchema } from '../base/options/option-schema.js';
import { recording, type ConcreteClassDecorator } from './recording.js';

export interface InjectableOptions {
  /**
   * `request`: a new instance for every call, disposed when the call has ended. `session`: one for each session of a
   * client, disposed when the session ends; revision 2026-07-28 has none. Default `singleton`.
   */
  scope?: Scope;
}

const injectableOptions = { scope } satisfies OptionSchema<InjectableOptions>;

/**
 * Lets the container build a class wherever its type is asked for, without being listed among the providers.
 *
 * @example
 * @Injectable()
 * class PageStore { constructor(private readonly database: Database) {} }
 */
export function Injectable(options: InjectableOptions = {}): ConcreteClassDecorator {
  return recording({ kind: 'injectable', options, schema: injectableOptions }, Injectable);
}
