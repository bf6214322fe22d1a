import type { Schema } from '../read/openapi-document.js';
import type { Specification } from '../read/specification.js';

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
  if (schema.properties || isObjectMap(schema)) return ['object'];
  if (schema.items || schema.prefixItems) return ['array'];
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const kinds = new Set(values.filter((value) => value !== null).map((value) => typeof value));
  return kinds.size === 1 ? [...kinds].filter((kind) => ['string', 'number', 'boolean'].includes(kind)) : [];
}

const isObjectMap = ({ additionalProperties: more }: Schema) => typeof more === 'object' && more !== null;

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

/** Deeper compositions are not written by people, but lead in a circle. */
const DEEPEST = 16;

/**
 * One schema in the place of a schema and all parts of its `allOf`: properties and required names of all, and for
 * other keywords the value that comes first.
 */
export function mergeAllOf(specification: Specification, schema: Schema, depth = 0): Schema {
  if (!schema.allOf || depth > DEEPEST) return schema;
  const { allOf, ...own } = schema;
  return allOf.reduce<Schema>((merged, part) => {
    const { value } = specification.resolve<Schema>(part);
    // What a base says about its heirs is not about this heir.
    const { discriminator: _heirs, ...rest } = mergeAllOf(specification, value, depth + 1);
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

/** What a discriminator has for an alternative: the key of the mapping, or the name of the schema. */
export function discriminatorValue({ discriminator }: Schema, pointer: string): string | undefined {
  if (discriminator?.propertyName === undefined) return undefined;
  const mapped = Object.entries(discriminator.mapping ?? {}).find(
    ([, target]) => asPointer(target) === pointer,
  );
  // Only the schemas of a document have names. A mapping may also name files that are no longer there.
  return mapped?.[0] ?? /^#\/components\/schemas\/([^/]+)$/.exec(pointer)?.[1];
}

const onlyRequires = (schema: Schema) =>
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
