import { referenceName } from '@toolwright/json';
import type { Reference, Schema } from '../read/openapi-document.js';
import { isHidden } from '../read/shape-values.js';
import { isObject, isReference, type Specification } from '../read/specification.js';

/** A JSON Schema 2020-12, as far as this package writes one. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  [keyword: string]: unknown;
}

/** The types of a schema without `null`, also where only its keywords say them. */
export function typesOf(schema: Schema): string[] {
  const stated = [schema.type ?? []].flat().filter((type) => type !== 'null');
  if (stated.length > 0 || schema.type === 'null') return stated;
  if (schema.properties || isObject(schema.additionalProperties) || isObject(schema.patternProperties))
    return ['object'];
  if (schema.items || schema.prefixItems) return ['array'];
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const kinds = new Set(values.filter((value) => value !== null).map((value) => typeof value));
  return kinds.has('object') ? [] : [...kinds];
}

/** Whether an object has more members than it names, and the schema says which: `true` alone says nothing of them. */
export const isObjectMap = ({ additionalProperties: more, patternProperties: patterns }: Schema) =>
  (isObject(more) && Object.keys(more).length > 0) ||
  (isObject(patterns) && Object.keys(patterns).length > 0);

/** What an object has beside the members with names: by any name, or by a pattern. */
export function othersOf({
  additionalProperties: more,
  patternProperties: patterns = {},
}: Schema): Schema['items'] {
  const all = Object.values(patterns);
  if (all.length === 0) return more;
  const [first, ...others] = isObject(more) ? [...all, more] : all;
  return others.length === 0 ? first : { anyOf: [first, ...others].filter(isObject) as Schema[] };
}

export function isNullable(schema: Schema): boolean {
  return (
    schema.nullable === true ||
    [schema.type ?? []].flat().includes('null') ||
    (schema.enum?.includes(null) ?? false)
  );
}

/** Keywords beside a `$ref` that say more than it (2020-12); before version 3.1, some documents have them all the same. */
const BESIDE = ['required', 'properties', 'nullable', 'enum', 'anyOf', 'oneOf', 'allOf'] as const;

/** A reference that other keywords stand beside, as both together. */
export function withSiblings(node: Schema): Schema {
  if (node.$ref === undefined || !BESIDE.some((name) => node[name] !== undefined)) return node;
  const { $ref, allOf = [], ...more } = node;
  return { ...more, allOf: [{ $ref }, ...allOf] };
}

/** Words about a schema, which do not change what it accepts. Null is looked at beside them. */
const NOTES = new Set([
  'allOf',
  'nullable',
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'externalDocs',
  'xml',
]);

/**
 * The reference in a schema that is nothing but one: version 3.0 writes `{ nullable: true, allOf: [{ $ref }] }`, because
 * nothing may stand beside a `$ref` there. A schema that contains itself has its name by this reference only.
 */
export function wrappedReference(node: Schema): Reference | undefined {
  const [part, ...others] = node.allOf ?? node.oneOf ?? node.anyOf ?? [];
  if (!isReference(part) || others.length > 0) return undefined;
  const isNote = (key: string) =>
    NOTES.has(key) || key.startsWith('x-') || node[key as 'oneOf']?.[0] === part;
  return Object.keys(part).length === 1 && Object.keys(node).every(isNote) ? part : undefined;
}

/**
 * One schema in the place of a schema and all parts of its `allOf`: properties and required names of all, and for
 * other keywords the value that comes first. A part that leads back to the whole adds nothing.
 */
export function mergeAllOf(
  specification: Specification,
  schema: Schema,
  around: ReadonlySet<Schema> = new Set(),
): Schema {
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  const open = new Set([...around, schema]);
  return allOf.reduce<Schema>((merged, part) => {
    const { value } = specification.resolve<Schema>(part);
    if (open.has(value)) return merged;
    // The discriminator of a base tells its heirs apart. It says nothing about one heir.
    const { discriminator: _heirs, ...rest } = mergeAllOf(specification, value, open);
    return combine(merged, rest);
  }, own);
}

/** Both at once; where they differ, the first. */
export function combine(first: Schema, second: Schema): Schema {
  const both: Schema = { ...second, ...first };
  if (first.properties || second.properties)
    both.properties = combineMembers(first.properties ?? {}, second.properties ?? {});
  if (first.required || second.required)
    both.required = [...new Set([...(first.required ?? []), ...(second.required ?? [])])];
  if (first.enum && second.enum) both.enum = first.enum.filter((value) => second.enum!.includes(value));
  return both;
}

type Members = NonNullable<Schema['properties']>;

/** A member that both describe has what both say: often one says "text", and the other which texts. */
function combineMembers(first: Members, second: Members): Members {
  const both: Members = { ...second, ...first };
  for (const [name, one] of Object.entries(first)) {
    const other = second[name];
    if (typeof one !== 'object' || typeof other !== 'object' || one === other) continue;
    if (one.$ref === undefined && other.$ref === undefined && !one.allOf && !other.allOf)
      both[name] = combine(one, other);
  }
  return both;
}

/**
 * The alternatives of a schema: `oneOf`, `anyOf`, or the heirs that a discriminator names. Alternatives that only
 * say which properties are required do not count.
 */
export function alternativesOf(schema: Schema): Schema[] {
  const { oneOf, anyOf, discriminator } = schema;
  const listed = [...(oneOf ?? []), ...(anyOf ?? [])].filter((each) => !onlyRequires(each));
  if (listed.length > 0) return listed;
  const heirs = Object.values(discriminator?.mapping ?? {}).map(asPointer);
  return [...new Set(heirs)].map(($ref) => ({ $ref }));
}

/** A mapping names a schema by its pointer, or by its name alone. */
export const asPointer = (target: string) =>
  target.startsWith('#') ? target : `#/components/schemas/${target}`;

/** The member that says which alternative a value is, and the values that it has for one of them. */
export interface Discriminated {
  readonly property: string;
  readonly values: readonly string[];
}

/** What a discriminator has for an alternative: the keys of the mapping, or the name of the schema. */
export function discriminatedBy({ discriminator }: Schema, pointer: string): Discriminated | undefined {
  const { propertyName: property, mapping = {} } = discriminator ?? {};
  if (property === undefined) return undefined;
  const mapped = Object.entries(mapping).filter(([, target]) => asPointer(target) === pointer);
  // Only the schemas of a document have names. A mapping may also name files that are no longer there.
  const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec(pointer) ?? [];
  const values = mapped.length > 0 ? mapped.map(([key]) => key) : name === undefined ? [] : [name];
  const shown = values.filter((value) => !isHidden(value));
  return shown.length > 0 ? { property, values: shown } : undefined;
}

/** The member of a discriminator. What the alternative itself says about it counts more than the name of its schema. */
export function discriminatedMember(own: JsonSchema, { values }: Discriminated): JsonSchema {
  const allowed = own.enum ?? (own.const === undefined ? undefined : [own.const]);
  const fitting = allowed ? values.filter((value) => allowed.includes(value)) : values;
  if (fitting.length === 0) return own;
  return fitting.length === 1 ? { const: fitting[0] } : { enum: [...fitting] };
}

const onlyRequires = (schema: Schema) =>
  ('required' in schema || 'not' in schema) &&
  Object.keys(schema).every((key) => key === 'required' || key === 'not' || key === 'title');

/**
 * A sentence for alternatives that only say which properties are required. Hosts take no such alternatives at the top of
 * the arguments of a tool, so a model reads it in the description.
 */
export function neededOf({ oneOf, anyOf }: Schema): string | undefined {
  const sets = [...(oneOf ?? []), ...(anyOf ?? [])]
    .filter(onlyRequires)
    .map(({ required = [] }) => required.join(' and '))
    .filter((names) => names !== '');
  return sets.length > 1 ? `Needs ${sets.join(', or ')}.` : undefined;
}

/** The object that a reference leads to. */
export function behind(schema: JsonSchema, definitions: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const name = referenceName(schema);
  return (name !== undefined && definitions.get(name)) || schema;
}

/** The definitions that a schema names itself. */
export const namesIn = (schema: JsonSchema): string[] =>
  [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)].map(([, name]) => name!);

/** The names of all definitions that a schema needs. */
export function referredBy(schema: JsonSchema, definitions: ReadonlyMap<string, JsonSchema>): Set<string> {
  const found = new Set<string>();
  const queue = [schema];
  for (const each of queue)
    for (const name of namesIn(each)) {
      if (found.has(name) || !definitions.has(name)) continue;
      found.add(name);
      queue.push(definitions.get(name)!);
    }
  return found;
}
