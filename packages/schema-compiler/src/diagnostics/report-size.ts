import { inlineReferences, type JsonSchema } from '@toolwright/manifest';
import type { ts } from 'typescript-json-schema';
import type { Reporter } from './reporter.js';

/** Bytes of JSON from which on the schemas of one tool are warned of: some four thousand tokens in each conversation. */
export const SIZE_WARNING = 16 * 1024;

/** Bytes of JSON that they may not exceed, unless the tool says how many they may take. */
export const SIZE_LIMIT = 256 * 1024;

interface Sized {
  input: JsonSchema;
  output: JsonSchema | null;
  /** `maxSchemaBytes` of the tool. */
  allowed: number | undefined;
}

/** Tells of a tool whose schemas, as they are published, cost more than the budget. */
export function reportSize({ input, output, allowed }: Sized, reporter: Reporter, place: ts.Node): void {
  const published = { input: inlineReferences(input), ...(output && { output: inlineReferences(output) }) };
  const size = bytesOf(published);
  const limit = allowed ?? SIZE_LIMIT;
  if (size <= (allowed ?? SIZE_WARNING)) return;
  const parts = largestParts(published).map(({ path, bytes }) => `${path} (${bytes})`);
  const largest = parts.length > 0 ? ` The largest parts: ${parts.join(', ')}.` : '';
  if (size > limit)
    reporter.report(
      'TW_SCHEMA_OVER_BUDGET',
      `The schemas take ${size} bytes, ${limit} are allowed.${largest}`,
      place,
    );
  else
    reporter.report(
      'TW_SCHEMA_TOO_LARGE',
      `The schemas take ${size} bytes, the budget is ${SIZE_WARNING}.${largest}`,
      place,
    );
}

interface Part {
  path: string;
  bytes: number;
}

/** How many of the largest parts are named. */
const NAMED = 3;

/** Properties and definitions, the largest first; of a property that is nearly all of another one the inner one. */
function largestParts(schemas: { input: JsonSchema; output?: JsonSchema }): Part[] {
  const parts = Object.entries(schemas).flatMap(([side, schema]) => [
    ...Object.entries(schema.properties ?? {}).map(([name, each]) => innermost(each, `${side}.${name}`)),
    ...Object.entries(schema.$defs ?? {}).map(([name, each]) => ({
      path: `${side} $defs/${name}`,
      bytes: bytesOf(each),
    })),
  ]);
  return parts.sort((one, other) => other.bytes - one.bytes).slice(0, NAMED);
}

/** Of its parent, from which on a property is what makes it large. */
const MOST = 0.8;

function innermost(schema: JsonSchema, path: string): Part {
  const bytes = bytesOf(schema);
  const items = typeof schema.items === 'object' ? [[`${path}[]`, schema.items] as const] : [];
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, each]) => [`${path}.${name}`, each] as const,
  );
  for (const [inner, each] of [...items, ...properties])
    if (bytesOf(each) > bytes * MOST) return innermost(each, inner);
  return { path, bytes };
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
