import { decodeUri } from '../addresses/uri-text.js';
import { fromPointerToken } from '../base/json-values.js';
import { type JsonSchema, isSchema, mapSchema } from './json-schema.js';
import { getOrMake } from './once.js';

const LOCAL = /^#\/(?:\$defs|definitions)\/([^/]+)$/;

/** The definitions of a schema, under the name that its draft uses for them. */
export function definitionsOf(root: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const older = root.definitions as Record<string, JsonSchema> | undefined;
  return older ? { ...older, ...root.$defs } : (root.$defs ?? {});
}

/** The definition that a schema refers to, or the schema itself. */
export function referredSchema(schema: JsonSchema, { $defs }: JsonSchema): JsonSchema {
  const name = referenceName(schema);
  return (name !== undefined && $defs?.[name]) || schema;
}

/** The name of the definition that a schema refers to; undefined if it refers to none, or to something else. */
export function referenceName({ $ref }: Pick<JsonSchema, '$ref'>): string | undefined {
  const name = typeof $ref === 'string' ? LOCAL.exec($ref)?.[1] : undefined;
  return name === undefined || !/[%~]/.test(name) ? name : fromPointerToken(decodeUri(name));
}

/**
 * Follows references through any number of definitions, and collects the keywords beside each reference.
 *
 * @returns the schema itself if it is not a reference; the last step if a reference leads nowhere or back
 */
export function followReferences(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const seen = new Set<string>();
  let found = schema;
  for (let name = referenceName(found); name !== undefined; name = referenceName(found)) {
    const definition = definitions[name];
    if (!definition || seen.has(name)) return found;
    seen.add(name);
    const { $ref: _ref, ...siblings } = found;
    found = { ...definition, ...siblings };
  }
  return found;
}

const references = new WeakMap<JsonSchema, readonly string[]>();

/**
 * The definitions that a schema directly refers to, one entry per reference. The result is kept, because
 * tools share definitions.
 */
export function referencesIn(schema: JsonSchema): readonly string[] {
  const known = references.get(schema);
  if (known) return known;
  const found: string[] = [];
  const visit = (inner: JsonSchema): JsonSchema => {
    const name = referenceName(inner);
    if (name !== undefined) found.push(name);
    return mapSchema(inner, visit);
  };
  if (isSchema(schema)) {
    const { $defs: _defs, ...own } = schema;
    visit(own);
    references.set(schema, found);
  }
  return found;
}

/** The names of all definitions that can be reached from a schema. */
export function reachedFrom(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): ReadonlySet<string> {
  const reached = new Set(referencesIn(schema));
  for (const name of reached) {
    const definition = definitions[name];
    if (definition) for (const further of referencesIn(definition)) reached.add(further);
    else reached.delete(name);
  }
  return reached;
}

/** For each schema, the definitions that its references mean. */
const shared = new WeakMap<object, Readonly<Record<string, JsonSchema>>>();
const whole = new WeakMap<SchemaDocument, Map<string, JsonSchema>>();

/** A document of many schemas that share definitions, such as a manifest. */
interface SchemaDocument {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/**
 * Returns a complete schema of a document: its `$defs` contain all definitions that it reaches. The schema is
 * the same object each time, and so is each definition in all its schemas.
 *
 * @param id a key of its `schemas`
 */
export function schemaOf(document: SchemaDocument, id: string): JsonSchema | undefined {
  const known = getOrMake(whole, document, () => new Map());
  let schema = known.get(id);
  if (!schema && document.schemas[id]) {
    schema = withDefinitions(document.schemas[id], document);
    known.set(id, schema);
  }
  return schema;
}

/** Does the same for a schema at another place in the document, such as in a revival. */
export function withDefinitions(schema: JsonSchema, { $defs }: Pick<SchemaDocument, '$defs'>): JsonSchema {
  if (!$defs) return schema;
  const reached = reachedFrom(schema, $defs);
  if (reached.size === 0) return schema;
  const own = Object.fromEntries([...reached].map((name) => [name, $defs[name]!]));
  shared.set(own, $defs);
  return { ...schema, $defs: own };
}

/**
 * The definitions that the references of a schema mean. All schemas of one document return the same object,
 * so that what is derived from a definition can be stored for all of them.
 */
export function sharedDefinitions({ $defs }: JsonSchema): Readonly<Record<string, JsonSchema>> | undefined {
  return $defs && (shared.get($defs) ?? $defs);
}

/** Things that can all be reached from each other. */
export interface ReferenceGroup<T> {
  readonly members: readonly T[];
  /** They refer to each other, or the only one refers to itself. */
  readonly isRecursive: boolean;
}

interface Visit<T> {
  readonly member: T;
  readonly uses: readonly T[];
  /** The index of the next use to visit. */
  next: number;
  readonly index: number;
  /** The earliest visit that can be reached from here. */
  low: number;
  isOpen: boolean;
}

/**
 * Groups things that refer to each other, and puts each group after the groups that it refers to. This takes
 * one walk (Tarjan's algorithm). The walk has its own stack, because types of an SDK may be thousands of
 * levels deep.
 *
 * @param roots where to begin
 * @param usesOf what a thing refers to, each once; called once per thing
 */
export function sortByReferences<T>(
  roots: Iterable<T>,
  usesOf: (member: T) => readonly T[],
): ReferenceGroup<T>[] {
  const groups: ReferenceGroup<T>[] = [];
  const visits = new Map<T, Visit<T>>();
  const open: Visit<T>[] = [];
  const enter = (member: T): Visit<T> => {
    const index = visits.size;
    const visit = { member, uses: usesOf(member), next: 0, low: index, isOpen: true, index };
    visits.set(member, visit);
    open.push(visit);
    return visit;
  };
  const close = (visit: Visit<T>): void => {
    if (visit.low !== visit.index) return;
    const members = open.splice(open.lastIndexOf(visit));
    for (const each of members) each.isOpen = false;
    const isRecursive = members.length > 1 || visit.uses.includes(visit.member);
    groups.push({ members: members.map(({ member }) => member), isRecursive });
  };
  for (const root of roots) {
    if (visits.has(root)) continue;
    const path = [enter(root)];
    for (let visit = path.at(-1); visit; visit = path.at(-1)) {
      if (visit.next === visit.uses.length) {
        close(visit);
        path.pop();
        const parent = path.at(-1);
        if (parent) parent.low = Math.min(parent.low, visit.low);
        continue;
      }
      const target = visit.uses[visit.next++]!;
      const known = visits.get(target);
      if (!known) path.push(enter(target));
      else if (known.isOpen) visit.low = Math.min(visit.low, known.index);
    }
  }
  return groups;
}
