import type { Scope } from '../container/provider.js';
import { scope } from '../container/provider-rule.js';
import type { OptionSchema } from '../base/options/option-schema.js';
import { text } from '../base/options/rules.js';
import { recording, type ClassOnlyDecorator } from './recording.js';

export interface McpServiceOptions {
  /** Ties the class to its manifest entry where neither its name nor its module survive bundling. */
  id?: string;
  /**
   * `request`: a new instance for every call, disposed when the call has ended. `session`: one for each session of a
   * client, disposed when the session ends; revision 2026-07-28 has none. Default `singleton`.
   */
  scope?: Scope;
}

const mcpServiceOptions = { id: text, scope } satisfies OptionSchema<McpServiceOptions>;

/**
 * Marks a class whose decorated methods are offered by the server. Policies written on the class hold for all its
 * methods.
 *
 * @example
 * @McpService()
 * class PageTools { constructor(private readonly pages: PageStore) {} }
 */
export function McpService(options: McpServiceOptions = {}): ClassOnlyDecorator {
  return recording({ kind: 'service', options, schema: mcpServiceOptions }, McpService);
}
