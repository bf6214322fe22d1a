import type { JsonSchema } from './json-schema.js';
import { mapSchema } from './map-schema.js';
import { definitionsOf, followReferences, reachedFrom, referenceName, referencesIn } from './references.js';
import { traitsOf } from './schema-traits.js';
import { sortByReferences } from './sort-by-references.js';

/** Bytes of JSON up to which a schema is published without references. */
export const INLINE_LIMIT = 4 * 1024;

/** Beyond the limit, references may still go where that makes the schema at most a tenth longer. */
const MAY_GROW = 1.1;

type Definitions = Readonly<Record<string, JsonSchema>>;

/**
 * Writes definitions of the schema itself where they are referred to, since many clients do not follow references. That
 * is done while the schema stays small: of types that share types there can be millions of paths. A definition that
 * contains itself stays in `$defs` in any case. A reference at the root shows its target once all the same, since clients
 * look for `type: object` there.
 *
 * @returns the same schema where there is nothing to do
 */
export function inlineReferences(root: JsonSchema): JsonSchema {
  const definitions = definitionsOf(root);
  if (Object.keys(definitions).length === 0) return root;
  const { $defs: _defs, definitions: _definitions, ...own } = root;
  const shown = followReferences(own, definitions);
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

interface Found {
  definitions: Definitions;
  recursive: ReadonlySet<string>;
  /** Each name after those that its definition refers to. */
  order: readonly string[];
}

/** Adds up what the schema would take, without making it: a definition is looked at once. */
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
    if (!recursive.has(name)) return { ...write(definitions[name]), ...mapSchema(siblings, write) };
    if (!kept[name]) {
      kept[name] = {};
      kept[name] = write(definitions[name]);
    }
    return { ...mapSchema(siblings, write), $ref: `#/$defs/${name}` };
  };
  const written = write(shown);
  return Object.keys(kept).length > 0 ? { ...written, $defs: kept } : written;
}

/** What referred to `definitions` has to refer to `$defs` now. */
function pointAtDefs(schema: JsonSchema): JsonSchema {
  const name = referenceName(schema);
  const inner = mapSchema(schema, pointAtDefs);
  return name === undefined ? inner : { ...inner, $ref: `#/$defs/${name}` };
}
