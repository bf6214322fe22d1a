import { inspect } from 'node:util';
import type { JsonSchema } from '@toolwright/manifest';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020.js';
import { originOf } from '@toolwright/client';
import type { MatcherContext, Verdict } from './to-be-tool-error.js';

/**
 * Passes for a result whose `structuredContent` fits the tool's published output schema.
 *
 * @param schema replaces the published schema; it is needed for results that did not come from `client.call`
 */
export async function toMatchOutputSchema(
  this: MatcherContext,
  received: unknown,
  schema?: JsonSchema,
): Promise<Verdict> {
  const expected = schema ?? (await publishedSchema(received));
  const { isError, structuredContent } = (received ?? {}) as {
    isError?: boolean;
    structuredContent?: unknown;
  };
  const problem = isError ? 'is an error' : findProblem(expected, structuredContent);
  return {
    pass: problem === undefined,
    message: () =>
      problem === undefined
        ? 'Expected the result not to match the output schema, but it does.'
        : `Expected the result to match the output schema, but it ${problem}: ${inspect(received, { depth: 6 })}`,
  };
}

async function publishedSchema(result: unknown): Promise<JsonSchema> {
  const origin = originOf(result);
  if (!origin)
    throw new TypeError(
      'This is no result of client.call(): pass the schema to toMatchOutputSchema(schema).',
    );
  const listed = (await origin.client.tools()).find(({ name }) => name === origin.tool);
  if (!listed?.outputSchema) throw new TypeError(`The tool ${origin.tool} publishes no output schema.`);
  return listed.outputSchema;
}

/** The strict mode is off, because a published schema may contain keywords of its author's own. */
function findProblem(schema: JsonSchema, value: unknown): string | undefined {
  if (value === undefined) return 'has no structuredContent';
  const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
  if (ajv.validate(schema, value)) return undefined;
  return `differs: ${ajv.errorsText(ajv.errors, { dataVar: 'structuredContent' })}`;
}
