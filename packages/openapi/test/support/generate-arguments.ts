import fc from 'fast-check';
import type { JsonSchema } from '../../src/model/schema-facts';

/** Makes a value that fits a schema of a tool. `level` 0 has only what is required, 1 has everything. */
export function generateArguments(schema: JsonSchema, level: 0 | 1): Record<string, unknown> {
  return valueOf(schema, { definitions: schema.$defs ?? {}, level, depth: 0, name: '' }) as Record<
    string,
    unknown
  >;
}

interface At {
  readonly definitions: Record<string, JsonSchema>;
  readonly level: 0 | 1;
  readonly depth: number;
  readonly name: string;
}

function valueOf(schema: JsonSchema, at: At): unknown {
  if (schema.$ref !== undefined)
    return valueOf(at.definitions[schema.$ref.replace('#/$defs/', '')] ?? {}, { ...at, depth: at.depth + 1 });
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.find((value) => value !== '' && value !== null) ?? schema.enum[0];
  const [example] = (schema['examples'] as unknown[] | undefined) ?? [];
  if (example !== undefined) return example;
  if (schema.anyOf) {
    // What stands beside the alternatives counts for each of them.
    const { anyOf, ...beside } = schema;
    return valueOf({ ...beside, ...anyOf.find(({ type: each }) => each !== 'null')! }, at);
  }
  const type = [schema.type ?? []].flat().find((each) => each !== 'null');
  if (type === 'object') return objectOf(schema, at);
  if (type === 'array') {
    const count = Math.max(Number(schema['minItems'] ?? 0), at.level === 1 && at.depth < 3 ? 1 : 0);
    return Array.from({ length: count }, () => valueOf(schema.items ?? {}, { ...at, depth: at.depth + 1 }));
  }
  if (type === 'integer' || type === 'number') return numberOf(schema);
  if (type === 'boolean') return true;
  return type === 'string' ? textOf(schema) : 'any';
}

function objectOf(schema: JsonSchema, at: At): unknown {
  const wanted = (name: string) => schema.required?.includes(name) || (at.level === 1 && at.depth < 3);
  const all = Object.entries(schema.properties ?? {});
  const chosen = all.filter(
    ([name, each]) => wanted(name) && !(isOpen(each) && !schema.required?.includes(name)),
  );
  // An object with nothing in it cannot be a part of a path or of a form.
  if (at.depth > 0 && chosen.length === 0)
    chosen.push(...all.filter(([, each]) => !isOpen(each)).slice(0, 1));
  return Object.fromEntries(
    chosen.map(([name, each]) => [name, valueOf(each, { ...at, name, depth: at.depth + 1 })]),
  );
}

/** What is inside of an open object is not in the schema of the tool, so nothing can be generated for it. */
const isOpen = ({ type, properties, additionalProperties: more, items }: JsonSchema): boolean =>
  (type === 'object' && Object.keys(properties ?? {}).length === 0 && more === true) ||
  (type === 'array' && items !== undefined && isOpen(items));

function numberOf(schema: JsonSchema): number {
  const step = Number(schema['multipleOf'] ?? 1);
  const low = Number(
    schema['minimum'] ??
      (schema['exclusiveMinimum'] === undefined ? 1 : Number(schema['exclusiveMinimum']) + step),
  );
  const high = Number(schema['maximum'] ?? Infinity);
  const value = Math.ceil(Math.min(Math.max(low, Math.min(1, high)), high) / step) * step;
  return Number.isFinite(value) ? value : 1;
}

const byFormat: Record<string, string> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  time: '03:04:05Z',
  email: 'ann@example.com',
  uri: 'https://example.com/a',
  'uri-reference': '/a?b=c',
  'uri-template': '/a/{b}',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'www.example.com',
  byte: 'YSBmaWxl',
};

function textOf(schema: JsonSchema): string {
  if (schema['contentEncoding'] === 'base64') return Buffer.from('a file').toString('base64');
  const { format, pattern, minLength = 0, maxLength = 20 } = schema as Record<string, never>;
  if (format !== undefined && byFormat[format]) return byFormat[format];
  if (pattern !== undefined) return fitting(pattern, minLength);
  const text = 'a b/ü'.slice(0, maxLength);
  return text.padEnd(minLength, 'x');
}

/** A text that a pattern accepts; the usual ones first, because they are what people write. */
function fitting(pattern: string, minLength: number): string {
  const expression = new RegExp(pattern, 'u');
  const usual = ['abc', '1', 'USD', 'en', '2026-01-02', 'https://example.com/a', 'ann@example.com'];
  const fits = usual.find((text) => text.length >= minLength && expression.test(text));
  if (fits !== undefined) return fits;
  // fast-check knows neither word boundaries nor looking ahead. Samples that break them are not taken.
  const known = pattern.replace(/\\b|\(\?<?[=!](?:[^()\\]|\\.|\([^()]*\))*\)/g, '');
  const samples = fc.sample(fc.stringMatching(new RegExp(known)), { numRuns: 20, seed: 1 });
  return samples.find((text) => text.length >= minLength && expression.test(text)) ?? samples[0]!;
}
