import { inlineReferences, type JsonSchema } from '@toolwright/json';
import type { ts } from '../generator/tjs-adapter.js';
import type { Reporter } from './reporter.js';

/**
 * The build warns if the schemas of one tool take more than this many bytes of JSON. That is about four
 * thousand tokens in each conversation.
 */
export const SIZE_WARNING = 16 * 1024;

/** The limit in bytes of JSON, unless the tool sets another one. */
export const SIZE_LIMIT = 256 * 1024;

interface Sized {
  input: JsonSchema;
  output: JsonSchema | null;
  /** The bytes of JSON that say how values are converted. Only the server reads them. */
  revivals: number;
  /** `maxSchemaBytes` of the tool. */
  allowed: number | undefined;
}

/** Reports a tool whose published schemas, or whose part of the manifest, are larger than the budget. */
export function reportSize(
  { input, output, revivals, allowed }: Sized,
  reporter: Reporter,
  place: ts.Node,
): void {
  const published = { input: inlineReferences(input), ...(output && { output: inlineReferences(output) }) };
  const size = bytesOf(published);
  const limit = allowed ?? SIZE_LIMIT;
  if (size + revivals <= limit && size <= (allowed ?? SIZE_WARNING)) return;
  const parts = largestParts(published).map(({ path, bytes }) => `${path} (${bytes})`);
  const largest = parts.length > 0 ? ` The largest parts: ${parts.join(', ')}.` : '';
  const converting = size > limit ? '' : `, and what converts their values takes ${revivals}`;
  if (size + revivals > limit)
    reporter.report(
      'TW_SCHEMA_OVER_BUDGET',
      `The schemas take ${size} bytes${converting}, ${limit} are allowed.${largest}`,
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

/** How many of the largest parts the message names. */
const NAMED = 3;

/**
 * Properties and definitions, the largest first. If one property makes up nearly all of another one, only the
 * inner one is listed.
 */
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

/** A property with more than this share of its parent's size is the reason that the parent is large. */
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
