import { resolveReference } from './without-untouched.js';

type Schema = Readonly<Record<string, unknown>>;

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'yes or no',
  array: 'list',
  null: 'nothing (null)',
  object: 'object',
};

/** What a person calls one of several forms of a value: its title, its constant, or what it is. */
export function nameOfBranch(root: unknown, given: Schema): string | undefined {
  const { $ref } = given;
  const schema = typeof $ref === 'string' ? { ...(resolveReference(root, $ref) as Schema), ...given } : given;
  if (typeof schema['title'] === 'string') return schema['title'];
  if ('const' in schema) return wordOf(schema['const']);
  const properties = Object.values((schema['properties'] ?? {}) as Record<string, Schema>);
  const constants = properties.flatMap((property) =>
    typeof property === 'object' && 'const' in property ? [wordOf(property['const'])] : [],
  );
  if (constants.length > 0) return constants.join(', ');
  if (Array.isArray(schema['enum'])) return (schema['enum'] as unknown[]).map(wordOf).join(' or ');
  if (typeof $ref === 'string') return decodeURIComponent($ref.slice($ref.lastIndexOf('/') + 1));
  const required = (schema['required'] as string[] | undefined) ?? [];
  if (schema['type'] === 'object' && required.length > 0) return `with ${required.join(', ')}`;
  return typeof schema['type'] === 'string' ? typeNames[schema['type']] : undefined;
}

function wordOf(value: unknown): string {
  return value === null ? 'nothing (null)' : typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether the items of a list are chosen among a few values. */
export function isChoice(root: unknown, items: unknown): boolean {
  if (typeof items !== 'object' || items === null) return false;
  const { $ref, enum: values } = items as Schema;
  if (typeof $ref === 'string') return isChoice(root, resolveReference(root, $ref));
  return Array.isArray(values);
}

/** Arguments to begin with: everything that is required, with the values that the schema names, or empty ones. */
export function skeletonOf(root: unknown, given: unknown = root, depth = 0): unknown {
  if (typeof given !== 'object' || given === null || depth > 8) return null;
  const { $ref, ...own } = given as Schema;
  const schema =
    typeof $ref === 'string' ? { ...(resolveReference(root, $ref) as Schema), ...own } : (own as Schema);
  if ('const' in schema) return schema['const'];
  if ('default' in schema) return schema['default'];
  if (Array.isArray(schema['enum'])) return (schema['enum'] as unknown[])[0];
  const [first] = ((schema['anyOf'] ?? schema['oneOf']) as unknown[] | undefined) ?? [];
  if (first !== undefined) return skeletonOf(root, first, depth + 1);
  const type = Array.isArray(schema['type']) ? (schema['type'] as unknown[])[0] : schema['type'];
  if (type === 'object' || schema['properties']) return skeletonOfObject(root, schema, depth);
  if (type === 'array') return skeletonOfList(root, schema, depth);
  if (type === 'string') return '';
  if (type === 'boolean') return false;
  return type === 'integer' || type === 'number' ? Math.max(Number(schema['minimum'] ?? 0), 0) : null;
}

/** A value, with everything that is required and missing in it. */
export function withRequired(root: unknown, given: unknown, value: unknown): unknown {
  if (value === undefined) return skeletonOf(root, given);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const schema = branchFor(root, given, value as Schema);
  if (!schema) return value;
  const properties = (schema['properties'] ?? {}) as Record<string, unknown>;
  const required = (schema['required'] as string[] | undefined) ?? [];
  const names = [...new Set([...required, ...Object.keys(value)])];
  return Object.fromEntries(
    names.map((name) => [
      name,
      name in properties
        ? withRequired(root, properties[name], (value as Schema)[name])
        : (value as Schema)[name],
    ]),
  );
}

/** The schema of an object: of several, the first whose constants are those of the value. */
function branchFor(root: unknown, given: unknown, value: Schema): Schema | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { $ref, anyOf, oneOf } = given as Schema;
  if (typeof $ref === 'string') return branchFor(root, resolveReference(root, $ref), value);
  const branches = (anyOf ?? oneOf) as unknown[] | undefined;
  if (!branches) return given as Schema;
  return branches
    .map((each) => branchFor(root, each, value))
    .find((each) => each && hasConstantsOf(each, value));
}

function hasConstantsOf(schema: Schema, value: Schema): boolean {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  return properties.every(
    ([name, property]) =>
      !('const' in property) || value[name] === undefined || property['const'] === value[name],
  );
}

function skeletonOfObject(root: unknown, schema: Schema, depth: number): Record<string, unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, unknown>;
  const required = (schema['required'] as string[] | undefined) ?? [];
  return Object.fromEntries(required.map((name) => [name, skeletonOf(root, properties[name], depth + 1)]));
}

function skeletonOfList(root: unknown, schema: Schema, depth: number): unknown[] {
  const places = schema['prefixItems'] as unknown[] | undefined;
  if (places) return places.map((each) => skeletonOf(root, each, depth + 1));
  const count = Math.min(Number(schema['minItems'] ?? 0), 3);
  return Array.from({ length: count }, () => skeletonOf(root, schema['items'], depth + 1));
}
