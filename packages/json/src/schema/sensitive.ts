import { type JsonSchema, isSchema } from './json-schema.js';

/**
 * Whether values of a schema are sensitive: `writeOnly` arguments, the format `password`, and results with
 * `x-sensitive`, because JSON Schema has no keyword for those.
 */
export function isSensitive(schema: JsonSchema): boolean {
  return schema.writeOnly === true || schema.format === 'password' || schema['x-sensitive'] === true;
}

/**
 * Keywords that contain values. None of them is published for a sensitive value. Keywords for the allowed
 * values may be necessary.
 */
const examples = ['default', 'examples'];

/**
 * Marks the sensitive parts of a schema for their role, and removes the values that the author wrote there.
 *
 * @param role arguments are `writeOnly`, results `x-sensitive`
 * @returns the same schema if nothing is sensitive
 */
export function markSensitive(schema: JsonSchema, role: 'input' | 'output'): JsonSchema {
  if (!partsOf(schema).some((part) => traitsOf(part).hasSensitive)) return schema;
  return change(schema, (marked) => {
    for (const keyword of examples) delete marked[keyword];
    delete marked['x-sensitive'];
    Object.assign(marked, role === 'input' ? { writeOnly: true } : { 'x-sensitive': true });
  }) as JsonSchema;
}

/** A schema to show to people, without the possible values of its sensitive parts. */
export function concealSensitive(schema: JsonSchema): JsonSchema {
  return change(schema, (marked) => {
    for (const keyword of [...examples, 'enum', 'const', 'pattern']) delete marked[keyword];
  }) as JsonSchema;
}

/** The change of a copy of each sensitive schema. */
type Change = (marked: JsonSchema) => void;

/** Keywords that contain data. Something in them that looks like a schema is none. */
const data = new Set(['default', 'const', 'enum', 'examples', 'required']);

/** Keywords that contain a schema for each name. The names are not keywords. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

function changeEach(map: unknown, edit: Change): unknown {
  if (typeof map !== 'object' || map === null) return map;
  return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, change(schema, edit)]));
}

function change(node: unknown, edit: Change): unknown {
  if (Array.isArray(node)) return node.map((each) => change(each, edit));
  if (typeof node !== 'object' || node === null) return node;
  const marked: JsonSchema = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (data.has(keyword)) marked[keyword] = value;
    else if (maps.has(keyword)) marked[keyword] = changeEach(value, edit);
    else marked[keyword] = change(value, edit);
  }
  if (isSensitive(marked)) edit(marked);
  return marked;
}

/** What the text of a schema shows. */
export interface SchemaTraits {
  /** The length of its JSON. */
  readonly length: number;
  /** Whether it contains a sensitive value. */
  readonly hasSensitive: boolean;
  /** Whether a header mirrors a value of it. */
  readonly hasHeader: boolean;
}

const known = new WeakMap<JsonSchema, SchemaTraits>();

/** Examines the text of a schema, once per object, because many schemas share definitions. */
export function traitsOf(schema: JsonSchema): SchemaTraits {
  let traits = known.get(schema);
  if (!traits) {
    const text = JSON.stringify(schema);
    traits = {
      length: text.length,
      hasSensitive: /"(?:writeOnly|x-sensitive)":true|"format":"password"/.test(text),
      hasHeader: text.includes('"x-mcp-header"'),
    };
    known.set(schema, traits);
  }
  return traits;
}

/**
 * The schema without its definitions, and each definition. Examining these parts covers the whole. `true` is
 * no part.
 */
export function partsOf(schema: JsonSchema): readonly JsonSchema[] {
  if (!schema.$defs) return [schema];
  let parts = split.get(schema);
  if (!parts) {
    const { $defs, ...own } = schema;
    split.set(schema, (parts = [own, ...Object.values($defs).filter(isSchema)]));
  }
  return parts;
}

const split = new WeakMap<JsonSchema, readonly JsonSchema[]>();
