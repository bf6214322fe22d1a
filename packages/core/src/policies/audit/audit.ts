import type { AuditMode } from '../../ports/audit-sink.js';
import type { OptionSchema } from '../../base/options/option-schema.js';
import { parseOptions } from '../../base/options/parse-options.js';
import { listOf, oneOf, text } from '../../base/options/rules.js';
import { definePolicy } from '../define-policy.js';

export interface AuditOptions {
  /**
   * `'strict'`: the intent is stored durably before the tool runs, and the outcome before the reply is sent.
   * If the log does not work, the call is refused. `'buffered'`: records are written soon. Default: strict
   * where the author wrote `destructiveHint: true`, buffered elsewhere.
   */
  mode?: AuditMode;
  /**
   * The arguments whose values may be stored as plain text. Of all other arguments, only a keyed hash is
   * stored.
   */
  include?: readonly string[];
}

const auditOptions = {
  mode: oneOf('strict', 'buffered'),
  include: listOf('a list of names of arguments', text),
} satisfies OptionSchema<AuditOptions>;

/**
 * How calls are recorded. `false` turns the recording off.
 *
 * @example
 * @McpTool()
 * @Audit({ mode: 'strict', include: ['pageId'] }) async publish(pageId: string) { … }
 */
export const Audit = definePolicy('audit', {
  parse: (options: AuditOptions | false): AuditOptions | false =>
    options && parseOptions('@Audit', auditOptions, options),
});
