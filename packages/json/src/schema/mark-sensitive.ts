import { HOLDERS, type JsonSchema } from './json-schema.js';
import { isSensitive, partsOf, traitsOf, values } from './keywords.js';
import { holdsSensitive } from './sensitive-parts.js';

/**
 * Keywords that contain values. None of them is published for a sensitive value. Keywords for the allowed
 * values may be necessary.
 */
const examples = ['default', 'examples'];

/**
 * Marks the sensitive parts of a schema for their role, and removes the values that the author wrote there. The
 * default of an object shows what is inside it, so it goes as well if one of its values is sensitive.
 *
 * @param role arguments are `writeOnly`, results `x-sensitive`
 * @param definitions what references mean, if the schema does not contain it
 * @returns the same schema if nothing is sensitive
 */
export function markSensitive(
  schema: JsonSchema,
  role: 'input' | 'output',
  definitions: () => Record<string, JsonSchema> = () => ({}),
): JsonSchema {
  const parts = partsOf(schema);
  const marked = parts.some((part) => traitsOf(part).hasSensitive) ? mark(schema, role) : schema;
  if (!parts.some((part) => traitsOf(part).hasCompoundValues)) return marked;
  const root = { ...marked, $defs: { ...definitions(), ...marked.$defs } };
  const holds = holdsSensitive(root);
  if (!holds) return marked;
  return change(marked, (node) => {
    const { default: value, examples: shown } = node;
    if (value !== undefined && holds(node, value)) delete node.default;
    if (!Array.isArray(shown)) return;
    const harmless = shown.filter((each) => !holds(node, each));
    if (harmless.length > 0) node.examples = harmless;
    else delete node.examples;
  }) as JsonSchema;
}

function mark(schema: JsonSchema, role: 'input' | 'output'): JsonSchema {
  return changeSensitive(schema, (marked) => {
    for (const keyword of examples) delete marked[keyword];
    delete marked['x-sensitive'];
    Object.assign(marked, role === 'input' ? { writeOnly: true } : { 'x-sensitive': true });
  });
}

/** A schema to show to people, without the possible values of its sensitive parts. */
export function concealSensitive(schema: JsonSchema): JsonSchema {
  return changeSensitive(schema, (marked) => {
    for (const keyword of [...examples, 'enum', 'const', 'pattern']) delete marked[keyword];
  });
}

/** The change of a copy of each schema. */
type Change = (node: JsonSchema) => void;

function changeSensitive(schema: JsonSchema, edit: Change): JsonSchema {
  return change(schema, (node) => {
    if (isSensitive(node)) edit(node);
  }) as JsonSchema;
}

/** Keywords that contain data. Nothing in them is a schema, even if it looks like one. */
const data = new Set([...values, 'required']);

function changeEach(map: unknown, edit: Change): unknown {
  if (typeof map !== 'object' || map === null) return map;
  return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, change(schema, edit)]));
}

function change(node: unknown, edit: Change): unknown {
  if (Array.isArray(node)) return node.map((each) => change(each, edit));
  if (typeof node !== 'object' || node === null) return node;
  const copy: JsonSchema = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (data.has(keyword)) copy[keyword] = value;
    else if (HOLDERS.maps.has(keyword)) copy[keyword] = changeEach(value, edit);
    else copy[keyword] = change(value, edit);
  }
  edit(copy);
  return copy;
}
