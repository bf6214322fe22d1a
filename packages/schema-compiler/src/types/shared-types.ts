import { ts } from 'typescript-json-schema';
import type { NotedProblems } from '../diagnostics/noted-problems.js';
import type { Role } from './role.js';
import type { Definition } from './tjs-internals.js';

/** What one type has a schema for; as an argument, another where another package declares it. */
export type Side = Role | 'foreign';

/** A type whose schema is made once, for every place and every tool that uses it. */
export interface SharedType {
  /** What references call it: unique among all types of a generator, in both directions. Equal ones share theirs. */
  key: string;
  /** What to call it in `$defs`. */
  readonly name: string;
  /** It has neither a name of its own nor an alias. */
  readonly isAnonymous: boolean;
  definition: Definition;
  readonly notes: NotedProblems;
  /** Its schema is being made. */
  isOpen: boolean;
  /** Its schema refers to itself. */
  isRecursive: boolean;
}

/** Keywords that say nothing of an object: where they stand beside one, they were meant for something else. */
const foreign = [
  ...[
    'multipleOf',
    'maximum',
    'exclusiveMaximum',
    'minimum',
    'exclusiveMinimum',
    'maxLength',
    'minLength',
    'pattern',
  ],
  ...['maxItems', 'minItems', 'uniqueItems'],
];

const REFERENCE = '#/definitions/';

/** The types that a generator has met, each with its one schema. */
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
  private readonly byKey = new Map<string, SharedType>();
  private count = 0;

  find(type: ts.Type, side: Side): SharedType | undefined {
    return this.byType[side].get(type);
  }

  /** Begins the schema of a type that `find` does not know. */
  open(type: ts.Type, side: Side, about: Pick<SharedType, 'name' | 'isAnonymous' | 'notes'>): SharedType {
    const key = `${++this.count}`;
    const shared: SharedType = { ...about, key, definition: {}, isOpen: true, isRecursive: false };
    this.byType[side].set(type, shared);
    this.byKey.set(key, shared);
    return shared;
  }

  /** Takes what was made of an equal type, where neither has a name: `A | B` of two equal ones is one. */
  unify(shared: SharedType, side: Side): void {
    if (!shared.isAnonymous || shared.isRecursive) return;
    const text = JSON.stringify(shared.definition);
    const known = this.anonymous[side].get(text);
    if (known === undefined) this.anonymous[side].set(text, shared.key);
    else shared.key = known;
  }

  /** Forgets a type whose schema could not be made: the next tool is told why, too. */
  drop(type: ts.Type, side: Side): void {
    this.byType[side].delete(type);
  }

  /** What a definition refers to. */
  target({ $ref }: Definition): SharedType | undefined {
    return typeof $ref === 'string' && $ref.startsWith(REFERENCE)
      ? this.byKey.get($ref.slice(REFERENCE.length))
      : undefined;
  }
}

/** A reference to a shared type, to be resolved by `SharedTypes.target`. */
export function referenceTo({ key }: SharedType): Definition {
  return { $ref: `${REFERENCE}${key}` };
}

/** Types that are made of other types. */
export function isComposite({ flags }: ts.Type): boolean {
  if (flags & ts.TypeFlags.Boolean) return false;
  return !!(flags & (ts.TypeFlags.Object | ts.TypeFlags.UnionOrIntersection));
}

/** A definition of an object without keywords that are for other types. */
export function withoutForeign(definition: Definition): Definition {
  return Object.fromEntries(Object.entries(definition).filter(([keyword]) => !foreign.includes(keyword)));
}
