import type { JsonSchema } from '@toolwright/manifest';
import type { McpToolOptions } from '../../decorators/mcp-tool.js';
import type { SchemaRecord } from '../../decorators/schema.js';
import { findRecord } from '../../base/metadata/class-records.js';
import type { DecoratorRecord } from '../../base/metadata/store.js';
import type { BoundTool } from '../../call/operation/operation.js';
import type { ToolDraft } from '../../call/operation/draft.js';
import type { BoundMethod } from '../services/bound-service.js';
import { toLatestDialect } from '../../base/schema/to-latest-dialect.js';
import { draftBase } from './draft-base.js';

/** Makes the tool of a decorated method. */
export function draftTool(source: BoundMethod, record: DecoratorRecord<McpToolOptions>): ToolDraft {
  const { options } = record;
  const { bound, entry, method } = source;
  const { manifest } = bound.match;
  const schema = findRecord<SchemaRecord>(method.records, 'schema')?.options;
  const declared = options.outputSchema && toLatestDialect(options.outputSchema);
  const outputSchema = declared ?? (entry.output === null ? undefined : manifest.schema(entry.output));
  // This assigns and does not spread: V8 takes four times as long when a literal begins with a spread, for
  // each of a thousand tools.
  return Object.assign(draftBase(source, record), {
    kind: 'tool' as const,
    annotations: options.annotations ?? {},
    inputSchema: (schema?.exact ? toLatestDialect(schema.schema) : source.input) ?? {},
    exactSchema: schema?.exact,
    outputSchema,
    wrapOutput: declared ? !isObjectSchema(declared) : entry.wrap,
    task: toolTask(options),
    ui: toolUi(options),
  });
}

/** The option `task` in its long form. */
export function toolTask({ task }: Pick<McpToolOptions, 'task'>): BoundTool['task'] {
  if (task === undefined) return undefined;
  return typeof task === 'string' ? { mode: task, start: 'immediate' } : { start: 'immediate', ...task };
}

/** The option `ui` in its long form. */
export function toolUi({ ui }: Pick<McpToolOptions, 'ui'>): BoundTool['ui'] {
  return typeof ui === 'string' ? { resourceUri: ui } : ui;
}

/** True when the schema accepts only objects, as far as its root shows. */
export function isObjectSchema({ type, $ref, $defs = {} }: JsonSchema): boolean {
  const root = $ref?.startsWith('#/$defs/') ? $defs[$ref.slice('#/$defs/'.length)] : undefined;
  return (root?.type ?? type) === 'object';
}
