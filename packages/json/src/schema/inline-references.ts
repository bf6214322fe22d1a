import { type JsonSchema, mapSchema } from './json-schema.js';
import { definitionsOf, reachedFrom, referenceName, referencesIn, sortByReferences } from './references.js';
import { isAnnotation, partsOf, traitsOf } from './keywords.js';

/** A schema of at most this many bytes of JSON is published without references. */
export const INLINE_LIMIT = 4 * 1024;

/** Above that limit, references are still written out if the schema then grows by at most a tenth. */
const MAY_GROW = 1.1;

type Definitions = Readonly<Record<string, JsonSchema>>;

/**
 * Writes a schema's definitions out at the places that refer to them, because many clients do not follow
 * references. This is only done while the schema stays small: if types share types, there can be millions of
 * paths. A definition that contains itself always stays in `$defs`. A reference at the root is always written
 * out once, because clients look for `type: object` there.
 *
 * @returns the same schema if nothing changes
 */
export function inlineReferences(root: JsonSchema): JsonSchema {
  const definitions = definitionsOf(root);
  if (Object.keys(definitions).length === 0) return root;
  // What an anchor is in must stay.
  if (partsOf(root).some((part) => traitsOf(part).hasOtherReferences)) return root;
  const { $defs: _defs, definitions: _definitions, ...own } = root;
  const shown = showRoot(own, definitions);
  const recursive = new Set<string>();
  const reached = reachedFrom(shown, definitions);
  const groups = sortByReferences(reached, (name) =>
    [...new Set(referencesIn(definitions[name]!))].filter((each) => definitions[each]),
  );
  for (const { members, isRecursive } of groups)
    if (isRecursive) for (const name of members) recursive.add(name);
  const order = groups.flatMap(({ members }) => members);
  if (staysSmall(shown, { definitions, recursive, order })) return inline(shown, definitions, recursive);
  const kept = Object.fromEntries([...reached].map((name) => [name, definitions[name]!]));
  return root.definitions === undefined ? { ...shown, $defs: kept } : pointAtDefs({ ...shown, $defs: kept });
}

/** What references at the root lead to, once each. */
function showRoot(root: JsonSchema, definitions: Definitions): JsonSchema {
  const seen = new Set<string>();
  let shown = root;
  for (let name = referenceName(shown); name !== undefined; name = referenceName(shown)) {
    const definition = definitions[name];
    if (!definition || seen.has(name)) return shown;
    seen.add(name);
    const { $ref: _ref, ...siblings } = shown;
    shown = beside(definition, siblings);
  }
  return shown;
}

interface Found {
  definitions: Definitions;
  recursive: ReadonlySet<string>;
  /** All names, each after the names that its definition refers to. */
  order: readonly string[];
}

/** Computes the size of the result without creating it. Each definition is visited once. */
function staysSmall(shown: JsonSchema, { definitions, recursive, order }: Found): boolean {
  const inlined = new Map<string, number>();
  const sizeOf = (schema: JsonSchema): number =>
    referencesIn(schema).reduce(
      (size, name) => size + (recursive.has(name) ? 0 : (inlined.get(name) ?? 0)),
      lengthOf(schema),
    );
  let whole = lengthOf(shown);
  let kept = 0;
  for (const name of order) {
    const size = sizeOf(definitions[name]!);
    inlined.set(name, size);
    whole += lengthOf(definitions[name]!) + name.length + 4;
    if (recursive.has(name)) kept += size;
  }
  return sizeOf(shown) + kept <= Math.max(INLINE_LIMIT, whole * MAY_GROW);
}

const lengthOf = (schema: JsonSchema): number => traitsOf(schema).length;

function inline(shown: JsonSchema, definitions: Definitions, recursive: ReadonlySet<string>): JsonSchema {
  const kept: Record<string, JsonSchema> = {};
  const write = (schema: JsonSchema): JsonSchema => {
    const name = referenceName(schema);
    if (name === undefined || !definitions[name]) return mapSchema(schema, write);
    const { $ref: _ref, ...siblings } = schema;
    if (!recursive.has(name)) return beside(write(definitions[name]), mapSchema(siblings, write));
    if (!kept[name]) {
      kept[name] = {};
      kept[name] = write(definitions[name]);
    }
    return { ...mapSchema(siblings, write), $ref: `#/$defs/${name}` };
  };
  const written = write(shown);
  return Object.keys(kept).length > 0 ? { ...written, $defs: kept } : written;
}

/**
 * A definition with the keywords beside the reference to it. Descriptions replace those of the definition. Rules are
 * added: a bound, or the names of properties, count for the schema in which they stand.
 */
function beside(definition: JsonSchema, siblings: JsonSchema): JsonSchema {
  const isSame = (keyword: string) => siblings[keyword] === definition[keyword];
  const isSaid = Object.keys(siblings).every((keyword) => isAnnotation(keyword) || isSame(keyword));
  if (isSaid) return { ...definition, ...siblings };
  const { allOf = [], ...others } = siblings;
  return { ...others, allOf: [...allOf, definition] };
}

/** Changes references from `definitions` to `$defs`. */
function pointAtDefs(schema: JsonSchema): JsonSchema {
  const name = referenceName(schema);
  const inner = mapSchema(schema, pointAtDefs);
  return name === undefined ? inner : { ...inner, $ref: `#/$defs/${name}` };
}
