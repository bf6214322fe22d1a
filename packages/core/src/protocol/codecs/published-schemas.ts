import type { JsonSchema } from '@toolwright/manifest';
import type { BoundTool } from '../../call/operation/operation.js';
import { toClientSafe } from '../../base/schema/client-safe-profile.js';
import type { ToolSchemas } from './definitions.js';

/** Returns the schemas of a tool as clients get them. */
export type PublishSchemas = (tool: BoundTool) => ToolSchemas;

/** Publishes schemas in a form that all clients can read. Exact schemas are published word for word. */
export const publishClientSafe: PublishSchemas = (tool) => {
  const { inputSchema, outputSchema, exactSchema } = tool;
  if (exactSchema) return publishNatural(tool);
  const input = toClientSafe(inputSchema, { role: 'input' });
  return {
    input: asInput(input),
    output: outputSchema && toClientSafe(outputSchema, { role: 'output' }),
  };
};

/**
 * Publishes the schemas that are used for validation. They may contain `$ref`s and choices that some clients
 * cannot read.
 */
export const publishNatural: PublishSchemas = ({ inputSchema, outputSchema }) => ({
  input: asInput(inputSchema),
  output: outputSchema,
});

/**
 * The root must say that it is an object, whatever else it says (server/tools). Some clients refuse a tool
 * whose input has no `properties`, even when it takes no arguments.
 */
function asInput(schema: JsonSchema): JsonSchema {
  if (schema.type === 'object' && schema.properties) return schema;
  const { type: _, ...rest } = schema;
  return { type: 'object', ...rest, properties: schema.properties ?? {} };
}

/** Revisions before 2026-07-28 require an object at the root of an output schema. */
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
