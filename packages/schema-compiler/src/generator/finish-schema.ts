import {
  INLINE_LIMIT,
  INSIDE,
  type JsonSchema,
  type ReferenceGroup,
  withBoundDigits,
  markSensitive,
  sortByReferences,
  traitsOf,
} from '@toolwright/json';
import { isDefinition, type Definition } from './tjs-adapter.js';
import { withReason } from '../docs/deprecation.js';
import type { SchemaRole } from '../types/members.js';
import type { SharedType, SharedTypes } from './shared-types.js';

/**
 * A definition of at most this many bytes of JSON is written out at each use, because a reference to it is
 * not much shorter.
 */
const INLINE_SIZE = 200;

/** A shared type in 2020-12. */
interface Finished {
  schema: JsonSchema;
  /** The name in `$defs`; undefined if the schema itself replaces each reference. */
  name?: string;
  /** The definitions that it refers to, including the definitions that inlined schemas refer to. */
  uses: Set<Finished>;
}

/**
 * Turns the generator's definitions into complete 2020-12 schemas. A type has the same schema object in the
 * `$defs` of every schema that reaches it. So the work grows with the number of types, not with the number of
 * paths between them.
 */
export class SchemaFinisher {
  private readonly finished = new Map<SharedType, Finished>();
  private readonly taken: Record<SchemaRole, Set<string>> = { input: new Set(), output: new Set() };

  constructor(private readonly types: SharedTypes) {}

  /**
   * If the root is a reference, the schema of its type is written out, because clients look for
   * `type: object` at the root.
   */
  finish(root: Definition, role: SchemaRole): JsonSchema {
    return this.finishPart(this.shown(root), role);
  }

  /** The same for a schema that may be a reference. */
  finishPart(root: Definition, role: SchemaRole): JsonSchema {
    for (const group of sortByReferences(this.unfinished(root), (type) => this.unfinished(type.definition)))
      this.finishGroup(group, role);
    const uses = new Set<Finished>();
    const converted = this.convert(root, uses);
    const $defs = definitionsOf(uses);
    const schema = markSensitive(converted, role, () => $defs);
    return Object.keys($defs).length > 0 ? { ...schema, $defs } : schema;
  }

  private shown(root: Definition, seen = new Set<SharedType>()): Definition {
    const target = this.types.target(root);
    if (!target || seen.has(target)) return root;
    const { $ref: _ref, ...siblings } = root;
    return { ...this.shown(target.definition, seen.add(target)), ...siblings };
  }

  /** The types that a definition refers to and that no schema has needed yet. */
  private unfinished(definition: Definition): SharedType[] {
    const found = new Set<SharedType>();
    const visit = (value: unknown): void => {
      if (Array.isArray(value)) return value.forEach(visit);
      if (!isDefinition(value)) return;
      const target = this.types.target(value);
      if (target && !this.finished.has(target)) found.add(target);
      Object.values(value).forEach(visit);
    };
    visit(definition);
    return [...found];
  }

  /** Finishes a group of types: types that refer to each other, or a single type. */
  private finishGroup({ members: types, isRecursive }: ReferenceGroup<SharedType>, role: SchemaRole): void {
    const nameless = isRecursive ? this.writtenInPlace(types) : new Set<SharedType>();
    for (const type of types) {
      const made: Finished = { schema: {}, uses: new Set() };
      if (isRecursive && !nameless.has(type)) made.name = this.takeName(type, role);
      this.finished.set(type, made);
    }
    // A schema that replaces references must be finished before the schemas that contain the references.
    for (const type of [...nameless, ...types.filter((each) => !nameless.has(each))]) {
      const made = this.finished.get(type)!;
      made.schema = this.convert(type.definition, made.uses);
    }
    // Whether a default shows a sensitive value is known when the schemas of all types of the group are.
    for (const type of types) {
      const made = this.finished.get(type)!;
      made.schema = markSensitive(made.schema, role, () => definitionsOf(made.uses));
      if (!isRecursive && !isInlined(made.schema)) made.name = this.takeName(type, role);
    }
  }

  /**
   * Among types that refer to each other: those without a name that only one place refers to, inner ones
   * first.
   */
  private writtenInPlace(types: readonly SharedType[]): Set<SharedType> {
    const places = new Map<SharedType, SharedType[]>();
    for (const type of types)
      for (const used of this.unfinished(type.definition))
        places.set(used, [...(places.get(used) ?? []), type]);
    const isInPlace = (type: SharedType) => type.isAnonymous && places.get(type)?.length === 1;
    const depthOf = (type: SharedType): number => {
      let depth = 0;
      for (let at = type; isInPlace(at); at = places.get(at)![0]!) if (++depth > types.length) return 0;
      return depth;
    };
    const depths = new Map(types.map((type) => [type, depthOf(type)]));
    const found = types.filter((type) => depths.get(type)! > 0);
    return new Set(found.sort((one, other) => depths.get(other)! - depths.get(one)!));
  }

  private convert(definition: Definition, uses: Set<Finished>): JsonSchema {
    const refer = (node: Definition): JsonSchema | undefined => {
      const target = this.types.target(node);
      const found = target && this.finished.get(target);
      if (!found) return undefined;
      const { $ref: _ref, ...siblings } = node;
      if (found.name !== undefined) uses.add(found);
      else for (const used of found.uses) uses.add(used);
      const meant = found.name === undefined ? found.schema : { $ref: `#/$defs/${found.name}` };
      const said = isReasonAlone(siblings) ? { ...siblings, description: meant.description } : siblings;
      return withBoundDigits({ ...meant, ...convertDefinition(said, refer) });
    };
    return refer(definition) ?? convertDefinition(definition, refer);
  }

  /** Letters, digits, `_`, `.` and `-` only, so that a reference to the name needs no escaping. */
  private takeName({ name }: SharedType, role: SchemaRole): string {
    const plain = name.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^_+|_+$/g, '') || 'Type';
    const taken = this.taken[role];
    let free = plain;
    for (let count = 1; taken.has(free); count++) free = `${plain}_${count}`;
    taken.add(free);
    return free;
  }
}

/** A property that a header mirrors is found by its path, and this path must not lead through a reference. */
function isInlined(schema: JsonSchema): boolean {
  const { length, hasHeader } = traitsOf(schema);
  return length <= (hasHeader ? INLINE_LIMIT : INLINE_SIZE);
}

/** All definitions that can be reached, by name. */
function definitionsOf(uses: ReadonlySet<Finished>): Record<string, JsonSchema> {
  const reached = new Set(uses);
  for (const { uses: further } of reached) for (const each of further) reached.add(each);
  return Object.fromEntries([...reached].map(({ name, schema }) => [name!, schema]));
}

/** `items` may be a list here. */
const SINGLE = INSIDE.single.filter((keyword) => keyword !== 'items');

/**
 * Converts the draft-07 output of typescript-json-schema to 2020-12. Tuples get `prefixItems`, and the
 * generator's own keywords are removed.
 *
 * @param refer returns what replaces a definition with a reference; undefined if the definition has no
 * reference
 */
function convertDefinition(
  node: Definition,
  refer: (node: Definition) => JsonSchema | undefined,
): JsonSchema {
  const convert = (inner: Definition): JsonSchema => refer(inner) ?? convertDefinition(inner, refer);
  const convertAny = (value: unknown) => (isDefinition(value) ? convert(value) : (value as boolean));
  const schema: JsonSchema = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword !== 'definitions' && keyword !== 'additionalItems' && !keyword.startsWith('~'))
      schema[keyword] = value;
  }
  for (const key of INSIDE.maps) {
    const map = node[key] as Record<string, Definition> | undefined;
    if (map)
      schema[key] = Object.fromEntries(
        Object.entries(map).map(([name, value]) => [name, convertAny(value) as JsonSchema]),
      );
  }
  for (const key of INSIDE.lists) {
    const list = node[key] as Definition[] | undefined;
    if (list) schema[key] = list.map(convert);
  }
  for (const key of SINGLE) if (isDefinition(node[key])) schema[key] = convert(node[key]);
  const { items, additionalItems } = node;
  if (Array.isArray(items)) {
    delete schema.items;
    schema.prefixItems = (items as Definition[]).map(convert);
  } else if (isDefinition(items)) schema.items = convert(items);
  if (additionalItems !== undefined) schema.items = convertAny(additionalItems);
  return withBoundDigits(withReason(schema));
}

/** What replaces the reference may have a description, which stays. */
function isReasonAlone({ deprecated, description }: Definition): boolean {
  return typeof deprecated === 'string' && description === undefined;
}
