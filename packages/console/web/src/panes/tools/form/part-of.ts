import { isObject, jsonTypeOf } from '../../../../../../json/src/base/json-values.js';
export type Schema = Readonly<Record<string, unknown>>;

/** What a part of a form is: which field a person fills in. */
export type Part =
  | { readonly kind: 'const'; readonly value: unknown }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  | { readonly kind: 'choices'; readonly choices: readonly Choice[] }
  | { readonly kind: 'union'; readonly branches: readonly Schema[] }
  | { readonly kind: 'object'; readonly extra: Extra | undefined }
  | { readonly kind: 'list'; readonly items: unknown }
  | { readonly kind: 'tuple'; readonly places: readonly unknown[]; readonly rest: unknown }
  /** `json`: everything that has no field of its own. It is typed as JSON. */
  | { readonly kind: 'text' | 'number' | 'boolean' | 'bytes' | 'json' };

interface Choice {
  readonly value: unknown;
  readonly title?: string;
}

/** The schema of a property that has no name in the schema. */
export type Extra = (name: string) => unknown;

/** References may lead in a circle. Nothing that a person fills in is deeper. */
const MAX_DEPTH = 30;

/** A schema with what it refers to and what it is made of, in one object. Without a known shape: `{}`. */
export function resolved(root: unknown, given: unknown, depth = 0): Schema {
  if (typeof given !== 'object' || given === null || depth > MAX_DEPTH) return {};
  const { $ref, $dynamicRef, allOf, ...own } = given as Schema;
  if ($dynamicRef !== undefined) return {};
  const parts = [own as Schema];
  if (typeof $ref === 'string') {
    const target = referred(root, $ref);
    // What cannot be found may be anything.
    if (target === undefined) return {};
    parts.push(resolved(root, target, depth + 1));
  }
  if (Array.isArray(allOf)) parts.push(...allOf.map((each) => resolved(root, each, depth + 1)));
  return parts.reduce((all, each) => joined(each, all));
}

/** Two schemas that both count, as one. The second has the last word about titles. */
function joined(a: Schema, b: Schema): Schema {
  const both = { ...a, ...b };
  if (a['properties'] && b['properties']) {
    const shared = Object.entries(b['properties']).map(([name, each]) => {
      const other = Object.entries(a['properties'] as Schema).find(([known]) => known === name);
      return [name, other ? { allOf: [other[1], each] } : each] as const;
    });
    Object.assign(both, { properties: { ...(a['properties'] as Schema), ...Object.fromEntries(shared) } });
  }
  if (a['required'] && b['required'])
    Object.assign(both, { required: [...new Set([...requiredOf(a), ...requiredOf(b)])] });
  return both;
}

/** The target of a reference within the schema. `undefined`: there is none. */
function referred(root: unknown, reference: string): unknown {
  if (!/^#(\/|$)/.test(reference)) return undefined;
  const parts = reference.slice(1).split('/').slice(1).map(decodeURIComponent);
  return parts.reduce<unknown>((at, part) => {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof at === 'object' && at !== null && Object.hasOwn(at, name)
      ? (at as Schema)[name]
      : undefined;
  }, root);
}

/**
 * What a person fills in for a schema. Only what says what it is has a field of its own; the rest is typed as JSON, so
 * that every value can be given.
 */
export function partOf(schema: Schema, root: unknown): Part {
  if ('const' in schema) return { kind: 'const', value: schema['const'] };
  if (Array.isArray(schema['enum']))
    return { kind: 'choice', choices: schema['enum'].map((value: unknown) => ({ value })) };
  for (const key of ['anyOf', 'oneOf']) {
    const branches = branchesOf(schema, key, root);
    if (!branches) continue;
    const choices = branches.map((each) => ('const' in each ? choiceOf(each) : undefined));
    if (choices.every((each) => each !== undefined)) return { kind: 'choice', choices };
    return { kind: 'union', branches };
  }
  const { type } = schema;
  if (Array.isArray(type))
    return {
      kind: 'union',
      branches: type.map((each: unknown) => ({ ...schema, title: undefined, type: each })),
    };
  switch (type) {
    case 'null':
      return { kind: 'const', value: null };
    case 'string':
      return { kind: schema['contentEncoding'] === 'base64' ? 'bytes' : 'text' };
    case 'integer':
    case 'number':
      return { kind: 'number' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return listPart(schema, root);
    case 'object': {
      const extra = extraOf(schema);
      return schema['properties'] || extra ? { kind: 'object', extra } : { kind: 'json' };
    }
    default:
      return { kind: 'json' };
  }
}

function choiceOf({ const: value, title }: Schema): Choice {
  return { value, ...(typeof title === 'string' && { title }) };
}

/** The forms of a value among which a person chooses. `undefined`: the keyword only says more about one form. */
function branchesOf(schema: Schema, key: string, root: unknown): Schema[] | undefined {
  const { [key]: given, ...base } = schema;
  if (!Array.isArray(given) || given.length === 0) return undefined;
  const own = given.map((each) => resolved(root, each));
  const isShape = (each: Schema) =>
    ['type', 'const', 'enum', 'properties', 'anyOf', 'oneOf'].some((word) => word in each);
  if (!own.some(isShape) && base['type'] !== undefined) return undefined;
  return own.map((each, index) => {
    const isObject = 'properties' in each && !('type' in each);
    const { title: _, description: __, default: ___, ...shared } = base;
    // The name of a definition is the only name that some branches have.
    const { $ref } = (given[index] ?? {}) as Schema;
    return joined(shared, {
      ...each,
      ...(isObject && { type: 'object' }),
      ...($ref !== undefined && { $ref }),
    });
  });
}

function listPart(schema: Schema, root: unknown): Part {
  const { prefixItems, items, additionalItems } = schema;
  // Lists of fixed places had another spelling before 2020.
  const places = prefixItems ?? (Array.isArray(items) ? (items as unknown) : undefined);
  if (Array.isArray(places))
    return { kind: 'tuple', places, rest: prefixItems === undefined ? additionalItems : items };
  if (typeof items !== 'object' || items === null) return { kind: 'json' };
  const item = partOf(resolved(root, items), root);
  // Ticks give each choice once, in the order in which they are ticked.
  return item.kind === 'choice' ? { kind: 'choices', choices: item.choices } : { kind: 'list', items };
}

/** What properties that the schema does not name may be. `undefined`: it does not ask for any. */
function extraOf({ patternProperties, additionalProperties }: Schema): Extra | undefined {
  const patterns = Object.entries((patternProperties ?? {}) as Schema);
  if (patterns.length === 0 && !additionalProperties) return undefined;
  return (name) => {
    const fits = patterns.filter(([pattern]) => matches(pattern, name)).map(([, each]) => each);
    return fits.length > 0 ? { allOf: fits } : (additionalProperties ?? {});
  };
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
}

export function requiredOf({ required }: Schema): readonly string[] {
  return Array.isArray(required) ? (required as string[]) : [];
}

export function propertiesOf({ properties }: Schema): readonly (readonly [string, unknown])[] {
  return Object.entries((properties ?? {}) as Schema).filter(([, each]) => each !== false);
}

/** Which of several forms a value has. `undefined`: none of them. */
export function branchOf(branches: readonly Schema[], value: unknown, root: unknown): number | undefined {
  const fitting = branches.findIndex((each) => fits(each, value, root, 2));
  const loose = fitting < 0 ? branches.findIndex((each) => fits(each, value, root, 0)) : fitting;
  return loose < 0 ? undefined : loose;
}

/** Whether a form can hold a value. The server checks the rest. @param depth how many levels are looked at closely */
export function fits(given: unknown, value: unknown, root: unknown, depth: number): boolean {
  if (value === undefined) return true;
  const schema = resolved(root, given);
  const part = partOf(schema, root);
  switch (part.kind) {
    case 'const':
      return isSame(part.value, value);
    case 'choice':
      return part.choices.some((each) => isSame(each.value, value));
    case 'union':
      return part.branches.some((each) => fits(each, value, root, depth));
    case 'text':
    case 'bytes':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' && (schema['type'] === 'number' || Number.isInteger(value));
    case 'boolean':
      return typeof value === 'boolean';
    case 'choices':
    case 'list':
    case 'tuple':
      return (
        Array.isArray(value) &&
        (part.kind !== 'list' || value.every((each) => fits(part.items, each, root, depth)))
      );
    case 'json':
      return schema['type'] === undefined || jsonTypeOf(value) === schema['type'];
    case 'object':
      return isObject(value) && fitsProperties(schema, value, root, depth);
  }
}

function fitsProperties(schema: Schema, value: Schema, root: unknown, depth: number): boolean {
  const known = propertiesOf(schema);
  const names = new Set(known.map(([name]) => name));
  const isComplete = depth === 0 || requiredOf(schema).every((name) => Object.hasOwn(value, name));
  const isKnown = depth < 2 || Object.keys(value).every((name) => names.has(name) || extraOf(schema));
  return (
    isComplete &&
    isKnown &&
    known.every(([name, each]) => {
      if (!Object.hasOwn(value, name)) return true;
      const isConstant = 'const' in resolved(root, each);
      return depth === 0 && !isConstant ? true : fits(each, value[name], root, Math.max(0, depth - 1));
    })
  );
}

export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
