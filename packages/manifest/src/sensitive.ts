import type { JsonSchema } from './json-schema.js';
import { partsOf, traitsOf } from './schema-traits.js';

/**
 * Whether values of a schema must not be repeated: arguments that are `writeOnly`, what is entered as a `password`, and
 * results that are marked with `x-sensitive`, since JSON Schema has no word for those.
 */
export function isSensitive(schema: JsonSchema): boolean {
  return schema.writeOnly === true || schema.format === 'password' || schema['x-sensitive'] === true;
}

/** Keywords that tell values. A sensitive value has none that is published; which ones are allowed may have to be. */
const examples = ['default', 'examples'];

/**
 * Gives sensitive parts of a schema the mark of their role, and takes away the values that their author wrote there.
 *
 * @param role arguments are `writeOnly`, results `x-sensitive`
 * @returns the same schema where nothing is sensitive
 */
export function markSensitive(schema: JsonSchema, role: 'input' | 'output'): JsonSchema {
  if (!partsOf(schema).some((part) => traitsOf(part).hasSensitive)) return schema;
  return change(schema, (marked) => {
    for (const keyword of examples) delete marked[keyword];
    delete marked['x-sensitive'];
    Object.assign(marked, role === 'input' ? { writeOnly: true } : { 'x-sensitive': true });
  }) as JsonSchema;
}

/** A schema to show to people: without the values that its sensitive parts may take. */
export function concealSensitive(schema: JsonSchema): JsonSchema {
  return change(schema, (marked) => {
    for (const keyword of [...examples, 'enum', 'const', 'pattern']) delete marked[keyword];
  }) as JsonSchema;
}

/** What is done to a copy of each sensitive schema. */
type Change = (marked: JsonSchema) => void;

/** Keywords that hold data: what looks like a schema in there is none. */
const data = new Set(['default', 'const', 'enum', 'examples', 'required']);

/** Keywords that hold a schema by each name: the names themselves are no keywords. */
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
