import { type Definition, ts } from './tjs-adapter.js';
import type { NotedProblems } from '../diagnostics/noted-problems.js';
import type { SchemaRole } from '../types/members.js';

/**
 * The cases in which a type has different schemas: as a result, as an argument, and as an argument whose type
 * another package declares.
 */
export type Side = SchemaRole | 'foreign';

/** A type whose schema is created once, for all places and tools that use it. */
export interface SharedType {
  /**
   * The name in references, unique among all types of a generator and in both directions. Equal types share
   * it.
   */
  key: string;
  /** The name that `$defs` should use. */
  readonly name: string;
  /** The type has neither its own name nor an alias. */
  readonly isAnonymous: boolean;
  definition: Definition;
  readonly notes: NotedProblems;
  /** The schema is being created. */
  isOpen: boolean;
  /** The schema refers to itself. */
  isRecursive: boolean;
}

/** Keywords without effect on an object. If an object has one, it was meant for something else. */
const foreign = [
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
];

/** The number of types of one name, each inside the one before, from which on they are compared. */
const GROWING = 3;

export const REFERENCE = '#/definitions/';

/**
 * What is known about a type while its schema is being created: the JSON types of its values. Decorators of a
 * property that leads back to the type need that.
 */
function outlineOf(type: ts.Type): Definition {
  if (type.isUnion()) return { anyOf: type.types.map(outlineOf) };
  if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
  if (type.flags & ts.TypeFlags.StringLike) return { type: 'string' };
  if (type.flags & ts.TypeFlags.NumberLike) return { type: 'number' };
  if (type.flags & ts.TypeFlags.BooleanLike) return { type: 'boolean' };
  return isComposite(type) ? { type: ['object', 'array'] } : {};
}

/** All types that a generator has met, each with its one schema. */
export class SharedTypes {
  private readonly byType: Record<Side, Map<ts.Type, SharedType>> = {
    input: new Map(),
    output: new Map(),
    foreign: new Map(),
  };
  private readonly anonymous: Record<Side, Map<string, string>> = {
    input: new Map(),
    output: new Map(),
    foreign: new Map(),
  };
  /** The types whose schemas are being created, outermost first. */
  private readonly opened: Record<Side, Set<ts.Type>> = {
    input: new Set(),
    output: new Set(),
    foreign: new Set(),
  };
  private readonly sameAs = new Map<ts.Type, ts.Type>();
  private readonly byKey = new Map<string, SharedType>();
  private count = 0;

  find(type: ts.Type, side: Side): SharedType | undefined {
    return this.byType[side].get(type);
  }

  /**
   * Finds the type around the current one that has the same values and only another type argument, such as
   * `Filter<WithId<WithId<User>>>` inside `Filter<WithId<User>>`. Comparing is slow, so it begins where a type
   * contains itself a few times.
   */
  findSame(type: ts.Type, side: Side, checker: ts.TypeChecker): SharedType | undefined {
    const name = type.aliasSymbol ?? type.symbol;
    if (!name || checker.isArrayLikeType(type)) return undefined;
    const around = [...this.opened[side]].filter((each) => (each.aliasSymbol ?? each.symbol) === name);
    if (around.length < GROWING) return undefined;
    const compare = checker as ts.TypeChecker & { isTypeAssignableTo(one: ts.Type, other: ts.Type): boolean };
    const same = around.find(
      (each) => compare.isTypeAssignableTo(each, type) && compare.isTypeAssignableTo(type, each),
    );
    const shared = same && this.byType[side].get(same);
    if (shared) {
      this.byType[side].set(type, shared);
      this.sameAs.set(type, same);
    }
    return shared;
  }

  /** The type whose schema another type uses, by that other type. */
  canonical(type: ts.Type): ts.Type {
    return this.sameAs.get(type) ?? type;
  }

  /** Ends what `open` began. */
  close(type: ts.Type, side: Side): void {
    this.opened[side].delete(type);
    const shared = this.byType[side].get(type);
    if (shared) shared.isOpen = false;
  }

  /** Starts the schema of a type that `find` does not know. */
  open(type: ts.Type, side: Side, about: Pick<SharedType, 'name' | 'isAnonymous' | 'notes'>): SharedType {
    const key = `${++this.count}`;
    const shared: SharedType = {
      ...about,
      key,
      definition: outlineOf(type),
      isOpen: true,
      isRecursive: false,
    };
    this.byType[side].set(type, shared);
    this.byKey.set(key, shared);
    this.opened[side].add(type);
    return shared;
  }

  /** Uses the schema of an equal type if neither has a name, so that `A | B` of two equal types is one type. */
  unify(shared: SharedType, side: Side): void {
    if (!shared.isAnonymous || shared.isRecursive) return;
    const text = JSON.stringify(shared.definition);
    const known = this.anonymous[side].get(text);
    if (known === undefined) this.anonymous[side].set(text, shared.key);
    else shared.key = known;
  }

  /** Forgets a type whose schema could not be created, so that the next tool reports the reason, too. */
  drop(type: ts.Type, side: Side): void {
    this.byType[side].delete(type);
  }

  /** The type that a definition refers to. */
  target({ $ref }: Definition): SharedType | undefined {
    return typeof $ref === 'string' && $ref.startsWith(REFERENCE)
      ? this.byKey.get($ref.slice(REFERENCE.length))
      : undefined;
  }

  /**
   * Returns the definition that a reference refers to. A type whose schema is still being created has only an outline, so
   * the reference stays beside it.
   */
  resolve(definition: Definition): Definition {
    const target = this.target(definition);
    if (!target) return definition;
    const { $ref, ...siblings } = definition;
    return { ...target.definition, ...siblings, ...(target.isOpen && { $ref }) };
  }
}

/** Creates a reference to a shared type. `SharedTypes.target` resolves it. */
export function referenceTo({ key }: SharedType): Definition {
  return { $ref: `${REFERENCE}${key}` };
}

/** Whether a type consists of other types. */
export function isComposite({ flags }: ts.Type): boolean {
  if (flags & ts.TypeFlags.Boolean) return false;
  return !!(flags & (ts.TypeFlags.Object | ts.TypeFlags.UnionOrIntersection));
}

/** The definition of an object without keywords that are for other types. */
export function withoutForeign(definition: Definition): Definition {
  return Object.fromEntries(Object.entries(definition).filter(([keyword]) => !foreign.includes(keyword)));
}

/** This depth gives a name that a reader of `$defs` recognises. */
const MAX_DEPTH = 3;

/**
 * A name for a type: its alias or declaration, with the names of its type arguments. It need not be unique.
 * The compiler never prints the type, because that would take longer than creating the schema.
 */
export function typeName(type: ts.Type, checker: ts.TypeChecker, depth = 0): string {
  const alias = type.aliasSymbol;
  const symbol = alias ?? type.getSymbol();
  if (!symbol || isAnonymous(type)) return intrinsicName(type) ?? propertyName(type) ?? 'Type';
  const args = alias ? (type.aliasTypeArguments ?? []) : typeArguments(type, checker);
  if (args.length === 0 || depth >= MAX_DEPTH) return symbol.name;
  return `${symbol.name}<${args.map((arg) => typeName(arg, checker, depth + 1)).join(',')}>`;
}

/** Whether a type was written without a name. */
export function isAnonymous(type: ts.Type): boolean {
  const symbol = type.aliasSymbol ?? type.getSymbol();
  return !symbol || symbol.escapedName.toString().startsWith('__');
}

/** `address: { … }` gets the name of the property. */
function propertyName(type: ts.Type): string | undefined {
  const holder = type.getSymbol()?.declarations?.[0]?.parent;
  const name = holder && ts.isPropertySignature(holder) && ts.isIdentifier(holder.name) && holder.name.text;
  return name ? name.charAt(0).toUpperCase() + name.slice(1) : undefined;
}

function typeArguments(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  const reference =
    type.flags & ts.TypeFlags.Object && (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference;
  if (!reference) return [];
  const { typeParameters } = (type as ts.TypeReference).target;
  // The last type argument of a class that refers to itself is its `this` type, which has no declared
  // parameter.
  return checker.getTypeArguments(type as ts.TypeReference).slice(0, typeParameters?.length ?? 0);
}

function intrinsicName(type: ts.Type): string | undefined {
  return (type as ts.Type & { intrinsicName?: string }).intrinsicName;
}
