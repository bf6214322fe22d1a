import type { JsonSchema, Revival } from '@toolwright/manifest';
import { ts } from 'typescript-json-schema';
import { classifyType, isLibraryType, type SpecialType } from '../types/classify-type.js';
import { isStringKey } from '../types/special-schema.js';
import type { Role } from '../types/role.js';
import type { SchemaGenerator } from '../types/schema-generator.js';
import { isUnsendable, sendableParts } from '../types/unsendable.js';
import { unionOrder } from './union-order.js';

/** The same depth as in the schema generator. */
const MAX_NESTING = 120;

/**
 * A revival of at most this many bytes of JSON is written out at each use of its type. A larger one is stored
 * once.
 */
const MAX_WRITTEN_OUT = 1_000;

/**
 * Returns the class key of a type if the server creates or writes instances of it; undefined for plain data.
 */
export type ClassOf = (type: ts.Type, role: Role, holder?: Holder) => string | undefined;

/** What holds a value: a property, the parameter itself, or a place that has no name for the value's class. */
export type Holder = ts.Symbol | 'parameter' | 'nothing';

/**
 * Builds the tree that says how the server converts a JSON value. If nothing needs to be converted, there is
 * no tree.
 */
export class RevivalBuilder {
  /** Recursive and large revivals by name, for the manifest. */
  readonly shared: Record<string, Revival> = {};

  private readonly needy = new Map<string, boolean>();
  private readonly open = new Map<ts.Type, { name?: string }>();
  private readonly names: Record<Role, Map<ts.Type, string>> = { input: new Map(), output: new Map() };
  private role: Role = 'input';
  private nesting = 0;
  /** The property of a class that led to the current type. */
  private holder: Holder = 'nothing';

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly generator: SchemaGenerator,
    private readonly classOf: ClassOf,
    /** A prefix for the names of recursive revivals, because these names are unique in the whole manifest. */
    private readonly scope: string,
  ) {}

  build(type: ts.Type, role: Role): Revival | undefined {
    this.role = role;
    this.holder = type.isUnion() || !this.checker.isArrayType(type) ? 'parameter' : 'nothing';
    this.generator.begin(role);
    return this.revive(type);
  }

  private revive(type: ts.Type): Revival | undefined {
    if (!this.needs(type, new Set())) return undefined;
    const special = this.special(type);
    if (special) return this.reviveSpecial(special);
    if (type.isUnion()) return this.reviveUnion(type);
    const names = this.names[this.role];
    const known = names.get(type);
    if (known !== undefined) return { kind: 'ref', name: known };
    const enclosing = this.open.get(type);
    if (enclosing) return { kind: 'ref', name: (enclosing.name ??= this.freshName(type)) };
    const entry: { name?: string } = {};
    this.open.set(type, entry);
    const revival = this.reviveObject(type);
    this.open.delete(type);
    if (entry.name === undefined && JSON.stringify(revival).length <= MAX_WRITTEN_OUT) return revival;
    const name = (entry.name ??= this.freshName(type));
    names.set(type, name);
    this.shared[name] = revival;
    return { kind: 'ref', name };
  }

  private reviveSpecial(special: SpecialType): Revival | undefined {
    switch (special.kind) {
      case 'date':
      case 'bigint':
      case 'url':
        return { kind: special.kind };
      case 'bytes':
        return { kind: 'bytes', ...(special.buffer ? { buffer: true } : {}) };
      case 'set':
        return { kind: 'set', ...optional('items', this.revive(special.item)) };
      case 'map': {
        const keys = special.key.isUnion() ? special.key.types : [special.key];
        const pairs = !keys.every((part) => isStringKey(part));
        return {
          kind: 'map',
          ...(pairs ? { pairs } : {}),
          ...optional('keys', this.revive(special.key)),
          ...optional('values', this.revive(special.value)),
        };
      }
      case 'list':
      case 'iterable':
        return { kind: 'array', ...optional('items', special.item && this.revive(special.item)) };
      case 'same':
        return this.revive(special.as);
      case 'parameter':
        return special.constraint && this.revive(special.constraint);
      default:
        return undefined;
    }
  }

  private reviveObject(type: ts.Type): Revival {
    const elements =
      this.checker.isArrayType(type) || this.checker.isTupleType(type) ? this.items(type) : undefined;
    if (elements && this.checker.isArrayType(type))
      return { kind: 'array', ...optional('items', elements[0] && this.revive(elements[0])) };
    if (elements) return this.reviveTuple(type as ts.TupleTypeReference, elements);
    const key = this.classOf(type, this.role, this.holder);
    const properties: Record<string, Revival> = {};
    const names: Record<string, string> = {};
    const late: string[] = [];
    const { rules } = this.generator.properties;
    for (const { name, symbol } of this.generator.properties.of(type, this.role)) {
      const revival = this.within(symbol, () => this.revive(this.checker.getTypeOfSymbol(symbol)));
      if (revival) properties[name] = revival;
      if (symbol.getName() !== name) names[name] = symbol.getName();
      if (revival && rules.isLate(symbol)) late.push(name);
    }
    const [index] = this.checker.getIndexInfosOfType(type);
    const isClass = key !== undefined && this.role === 'input';
    return {
      kind: 'object',
      ...optional('class', key),
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...optional('additional', index && this.revive(index.type)),
      ...(isClass && Object.keys(names).length > 0 ? { names } : {}),
      ...(isClass && late.length > 0 ? { late } : {}),
    };
  }

  /** Runs `work`, and remembers the property whose type it visits. */
  private within<T>(holder: Holder, work: () => T): T {
    const outside = this.holder;
    this.holder = holder;
    try {
      return work();
    } finally {
      this.holder = outside;
    }
  }

  private reviveTuple(type: ts.TupleTypeReference, elements: readonly ts.Type[]): Revival {
    const rest = type.target.elementFlags.findIndex((flags) => flags & ts.ElementFlags.Variable);
    const fixed = rest === -1 ? elements : elements.slice(0, rest);
    return {
      kind: 'tuple',
      items: fixed.map((element) => this.revive(element) ?? null),
      ...optional('rest', rest === -1 ? undefined : this.revive(elements[rest]!)),
    };
  }

  /** The more specific form is tried first: a date is also a string, and a small bigint is also a number. */
  private reviveUnion(type: ts.UnionType): Revival | undefined {
    const parts = this.role === 'input' ? sendableParts(type, this.checker) : type.types;
    const members = parts.filter((part) => !(part.flags & NONE));
    const revivals = members
      .map((member) => ({ member, revive: this.revive(member) }))
      .sort((a, b) => unionOrder(a.revive) - unionOrder(b.revive));
    const nullable = type.types.some((part) => part.flags & ts.TypeFlags.Null);
    const last = revivals.findLastIndex(({ revive }) => revive);
    const options = revivals.slice(0, last + 1);
    if (members.length === 1) {
      const [{ revive }] = options as [(typeof options)[0]];
      return nullable
        ? { kind: 'union', options: [{ when: { type: 'null' } }, { when: {}, revive: revive! }] }
        : revive;
    }
    return {
      kind: 'union',
      options: options.map(({ member, revive }) => ({
        when: this.schemaOf(member),
        ...optional('revive', revive),
      })),
    };
  }

  private schemaOf(type: ts.Type): JsonSchema {
    this.generator.begin(this.role);
    // The schema of the whole type has already reported the problems of its members.
    return this.generator.reporter.muted(() => {
      try {
        return this.generator.finish(this.generator.getTypeDefinition(type));
      } catch (error) {
        return this.generator.refuse(error);
      }
    });
  }

  /** Whether a type contains anything that is more than JSON, at any depth. */
  private needs(type: ts.Type, seen: Set<ts.Type>): boolean {
    const key = `${this.role} ${(type as ts.Type & { id: number }).id}`;
    const known = this.needy.get(key);
    if (known !== undefined) return known;
    // The schema has already refused a type that grows without end.
    if (seen.has(type) || this.nesting > MAX_NESTING) return false;
    seen.add(type);
    this.nesting++;
    const needed = this.computeNeeds(type, seen);
    this.nesting--;
    // Inside a cycle, `false` is only final for the whole cycle. The outermost call decides that.
    if (needed || seen.size === 1) this.needy.set(key, needed);
    return needed;
  }

  private computeNeeds(type: ts.Type, seen: Set<ts.Type>): boolean {
    if (this.role === 'input' && isUnsendable(type, this.checker)) return false;
    const special = this.special(type);
    if (special) return this.specialNeeds(special, seen);
    if (type.isUnion()) return type.types.some((part) => this.needs(part, seen));
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return false;
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) {
      return this.items(type).some((item) => this.needs(item, seen));
    }
    if (this.classOf(type, this.role) !== undefined) return true;
    const properties = this.generator.properties
      .of(type, this.role)
      .map(({ symbol }) => this.checker.getTypeOfSymbol(symbol));
    const values = this.checker.getIndexInfosOfType(type).map((info) => info.type);
    return [...properties, ...values].some((value) => this.needs(value, seen));
  }

  private specialNeeds(special: SpecialType, seen: Set<ts.Type>): boolean {
    switch (special.kind) {
      case 'date':
      case 'bigint':
      case 'url':
      case 'bytes':
      case 'set':
      case 'map':
        return true;
      case 'list':
      case 'iterable':
        return !!special.item && this.needs(special.item, seen);
      case 'same':
        return this.needs(special.as, seen);
      case 'parameter':
        return !!special.constraint && this.needs(special.constraint, seen);
      default:
        return false;
    }
  }

  /** A class with `toJSON` converts itself, so nothing is left to do. */
  private special(type: ts.Type): SpecialType | undefined {
    const special = classifyType(type, this.checker);
    if (special || this.role === 'input' || !(type.flags & ts.TypeFlags.Object)) return special;
    return type.getProperty('toJSON') && !isLibraryType(type) ? { kind: 'any' } : undefined;
  }

  private items(type: ts.Type): readonly ts.Type[] {
    return this.checker.getTypeArguments(type as ts.TypeReference);
  }

  private freshName(type: ts.Type): string {
    const base = `${this.scope}:${this.role}.${type.getSymbol()?.getName().replace(/^__.*/, 'Type') ?? 'Type'}`;
    for (let count = 1; ; count++) {
      const name = count === 1 ? base : `${base}_${count}`;
      if (!this.taken.has(name)) {
        this.taken.add(name);
        return name;
      }
    }
  }

  private readonly taken = new Set<string>();
}

const NONE = ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Null;

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}
