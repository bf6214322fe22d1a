type Schema = Readonly<Record<string, unknown>>;

/** Recursive schemas end where the value does; nothing that a person types is deeper. */
const MAX_DEPTH = 50;

/**
 * The value of a form without what nobody has filled in. The form library keeps empty places, and sets constants in
 * choices that the person has not touched.
 */
export function withoutUntouched(schema: unknown, value: unknown): unknown {
  return pruned(schema, schema, value, 0) ?? {};
}

function pruned(root: unknown, given: unknown, value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return value;
  const schemas = branches(root, given);
  if (Array.isArray(value)) {
    const items = value.map((each) => pruned(root, itemOf(schemas), each, depth + 1));
    return items.filter((each) => each !== undefined && each !== null);
  }
  const entries = Object.entries(value).flatMap(([name, each]) => {
    const own = schemas.flatMap((schema) => propertyOf(schema, name) ?? []);
    const next = pruned(root, own.length === 1 ? own[0] : { anyOf: own }, each, depth + 1);
    const isRequired = schemas.some((schema) => (schema['required'] as string[] | undefined)?.includes(name));
    return next === undefined || (!isRequired && isUntouched(root, own, next)) ? [] : [[name, next] as const];
  });
  return { ...emptyOnes(root, given, value), ...Object.fromEntries(entries) };
}

/** Maps and lists that are required and may be empty: nobody can fill in nothing. */
function emptyOnes(root: unknown, given: unknown, value: object): Record<string, unknown> {
  const schema = followed(root, given);
  const required = (schema['required'] as string[] | undefined) ?? [];
  const missing = required.filter((name) => (value as Schema)[name] === undefined);
  return Object.fromEntries(
    missing.flatMap((name) => {
      const property = followed(root, propertyOf(schema, name));
      const { type, properties, minItems = 0, minProperties = 0 } = property;
      if (type === 'object' && !properties && minProperties === 0) return [[name, {}]];
      return type === 'array' && minItems === 0 && !property['prefixItems'] ? [[name, []]] : [];
    }),
  );
}

function followed(root: unknown, schema: unknown): Schema {
  if (typeof schema !== 'object' || schema === null) return {};
  const { $ref } = schema as Schema;
  return typeof $ref === 'string' ? followed(undefined, resolveReference(root, $ref)) : (schema as Schema);
}

/** True for a list or an object in which nobody has entered anything. */
function isUntouched(root: unknown, schemas: readonly unknown[], value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length === 0;
  const all = schemas.flatMap((schema) => branches(root, schema));
  return Object.keys(value).every((name) =>
    all.some((schema) => {
      const property = propertyOf(schema, name);
      return typeof property === 'object' && property !== null && 'const' in property;
    }),
  );
}

/** A schema, what it refers to, and its alternatives. */
function branches(root: unknown, schema: unknown, depth = 0): Schema[] {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return [];
  const {
    $ref,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = schema as Record<string, unknown[]> & { $ref?: string };
  const inner = [...anyOf, ...oneOf, ...allOf, ...($ref === undefined ? [] : [resolveReference(root, $ref)])];
  return [schema as Schema, ...inner.flatMap((each) => branches(root, each, depth + 1))];
}

export function resolveReference(root: unknown, reference: string): unknown {
  const parts = reference.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);
  return parts.reduce<unknown>(
    (at, part) => (at as Schema | undefined)?.[part.replace(/~1/g, '/').replace(/~0/g, '~')],
    root,
  );
}

function propertyOf(schema: Schema, name: string): unknown {
  const properties = schema['properties'] as Schema | undefined;
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function itemOf(schemas: readonly Schema[]): unknown {
  return {
    anyOf: schemas.flatMap(({ items }) =>
      typeof items === 'object' && !Array.isArray(items) ? [items] : [],
    ),
  };
}
