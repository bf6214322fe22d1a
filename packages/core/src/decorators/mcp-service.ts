import type { Scope } from '../container/provider.js';
import { scope } from '../container/provider-rule.js';
import type { OptionSchema } from '../base/options/option-schema.js';
import { text } from '../base/options/rules.js';
import { recording, type ClassOnlyDecorator } from './recording.js';

export interface McpServiceOptions {
  /** Links the class to its manifest entry, for bundles that keep neither the class's name nor its module. */
  id?: string;
  /**
   * How long an instance lives. `singleton` (default): as long as the server. `request`: every call gets a
   * new instance, which is disposed when the call ends. `session`: every session of a client gets its own
   * instance, which is disposed when the session ends. Revision 2026-07-28 has no sessions.
   */
  scope?: Scope;
}

const mcpServiceOptions = { id: text, scope } satisfies OptionSchema<McpServiceOptions>;

/**
 * Marks a class whose decorated methods the server offers. A policy on the class applies to all its methods.
 *
 * @example
 * @McpService() class PageTools { constructor(private readonly pages: PageStore) {} }
 */
export function McpService(options: McpServiceOptions = {}): ClassOnlyDecorator {
  return recording({ kind: 'service', options, schema: mcpServiceOptions }, McpService);
}
