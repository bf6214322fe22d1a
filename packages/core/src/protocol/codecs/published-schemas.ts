import type { JsonSchema } from '@toolwright/manifest';
import type { BoundTool } from '../../pipeline/operation.js';
import type { ToolSchemas } from './definitions.js';

/** The schemas of a tool as clients get them. */
export function publishedSchemas(tool: BoundTool): ToolSchemas {
  return { input: tool.inputSchema, output: tool.outputSchema };
}

/** Revisions before 2026-07-28 want an object at the root of an output schema. */
export function asObjectSchema(output: JsonSchema | undefined, wrap: boolean): JsonSchema | undefined {
  if (!output) return undefined;
  if (!wrap) return output.type === 'object' ? output : { ...output, type: 'object' };
  const { $defs, $schema, ...result } = output;
  return {
    ...($schema ? { $schema } : {}),
    type: 'object',
    properties: { result },
    required: ['result'],
    ...($defs ? { $defs } : {}),
  };
}
