import type { JsonSchema } from '@toolwright/manifest';
import type { BoundTool } from '../../pipeline/operation.js';
import { toClientSafe } from '../../schema/client-safe-profile.js';
import type { ToolSchemas } from './definitions.js';

/** The schemas of a tool as clients get them: verbatim where the author gave exact ones, else in a form all can read. */
export function publishedSchemas({ inputSchema, outputSchema, exactSchema }: BoundTool): ToolSchemas {
  if (exactSchema) return { input: inputSchema, output: outputSchema };
  const input = toClientSafe(inputSchema, { role: 'input' });
  return {
    input: input.type === 'object' ? input : { ...input, type: 'object' },
    output: outputSchema && toClientSafe(outputSchema, { role: 'output' }),
  };
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
