import { DefinitionPool, type JsonSchema, type ObjectRevival, type Revival } from '@toolwright/json';
import { ts } from '../generator/tjs-adapter.js';
import type { SpecialType } from '../types/classify-type.js';
import { isStringKey } from '../generator/special-schema.js';
import { signaturesOf } from '../types/json-properties.js';
import { type SchemaRole, NO_VALUE, acceptsNull } from '../types/members.js';
import type { SchemaGenerator } from '../generator/schema-generator.js';
import { sendableParts } from '../types/unsendable.js';
import { NeedyTypes, specialOf, unionOrder } from './needy-types.js';
import { taggedDefaults } from './tagged-defaults.js';

/**
 * A revival of at most this many bytes of JSON is written out at each use of its type. A larger one is stored
 * once.
 */
const MAX_WRITTEN_OUT = 1_000;

/**
 * Returns the class key of a type if the server creates or writes instances of it; undefined for plain data.
 */
export type ClassOf = (type: ts.Type, role: SchemaRole, holder?: Holder) => string | undefined;

/** What holds a value: a property, the parameter itself, or a place that has no name for the value's class. */
export type Holder = ts.Symbol | 'parameter' | 'nothing';

/**
 * Builds the tree that says how the server converts a JSON value. If nothing needs to be converted, there is
 * no tree.
 */
export class RevivalBuilder {
  /** Recursive and large revivals by name, for the manifest. */
  readonly shared: Record<string, Revival> = {};

  private readonly pool = new DefinitionPool();
  /** What the references in the conditions of unions mean. */
  readonly definitions = this.pool.definitions;

  private readonly needy: NeedyTypes;
  private readonly conditions: Record<SchemaRole, Map<ts.Type, JsonSchema>> = {
    input: new Map(),
    output: new Map(),
  };
  private readonly open = new Map<ts.Type, { name?: string }>();
  private readonly names: Record<SchemaRole, Map<ts.Type, string>> = { input: new Map(), output: new Map() };
  private role: SchemaRole = 'input';
  /** The property of a class that led to the current type. */
  private holder: Holder = 'nothing';

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly generator: SchemaGenerator,
    private readonly classOf: ClassOf,
    /** A prefix for the names of recursive revivals, because these names are unique in the whole manifest. */
    private readonly scope: string,
  ) {
    this.needy = new NeedyTypes(checker, generator, (type, role) => classOf(type, role) !== undefined);
  }

  build(type: ts.Type, role: SchemaRole): Revival | undefined {
    this.role = role;
    this.holder = type.isUnion() || !this.checker.isArrayType(type) ? 'parameter' : 'nothing';
    this.generator.begin(role);
    return this.revive(type);
  }

  /** The bytes of JSON of revivals, with the revivals that they name. */
  sizeOf(revivals: object): number {
    const seen = new Set<string>();
    const measure = (part: object): number => {
      const text = JSON.stringify(part);
      let size = Buffer.byteLength(text);
      for (const [, name] of text.matchAll(/"kind":"ref","name":("(?:[^"\\\\]|\\\\.)*")/g)) {
        const key = JSON.parse(name!) as string;
        if (seen.has(key) || !this.shared[key]) continue;
        seen.add(key);
        size += measure(this.shared[key]);
      }
      return size;
    };
    return measure(revivals);
  }

  private revive(given: ts.Type): Revival | undefined {
    const type = this.generator.shared.canonical(given);
    if (!this.needy.has(type, this.role)) return undefined;
    const special = specialOf(type, this.role, this.checker);
    if (special) return this.reviveSpecial(special);
    const names = this.names[this.role];
    const known = names.get(type);
    if (known !== undefined) return { kind: 'ref', name: known };
    const enclosing = this.open.get(type);
    if (enclosing) return { kind: 'ref', name: (enclosing.name ??= this.freshName(type)) };
    const entry: { name?: string } = {};
    this.open.set(type, entry);
    const revival = type.isUnion() ? this.reviveUnion(type) : this.reviveObject(type);
    this.open.delete(type);
    // `T | null` may need nothing, if no client can send a T.
    if (!revival) return undefined;
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
    const plain: string[] = [];
    const { rules } = this.generator.properties;
    for (const { name, symbol } of this.generator.properties.of(type, this.role)) {
      const revival = this.within(symbol, () => this.revive(this.checker.getTypeOfSymbol(symbol)));
      if (revival) properties[name] = revival;
      else plain.push(name);
      if (symbol.getName() !== name) names[name] = symbol.getName();
      if (revival && rules.isLate(symbol)) late.push(name);
    }
    const signatures = this.reviveSignatures(type);
    const isClass = key !== undefined && this.role === 'input';
    return {
      kind: 'object',
      ...optional('class', key),
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(signatures && plain.length > 0 ? { plain } : {}),
      ...signatures,
      ...optional('defaults', this.role === 'input' ? taggedDefaults(type, this.generator) : undefined),
      ...(isClass && Object.keys(names).length > 0 ? { names } : {}),
      ...(isClass && late.length > 0 ? { late } : {}),
    };
  }

  /**
   * The revivals of index signatures; undefined if they need none. The one whose values fit the others' types is more
   * specific, so it is first.
   */
  private reviveSignatures(type: ts.Type): Pick<ObjectRevival, 'patterns' | 'additional'> | undefined {
    const compare = this.checker as ts.TypeChecker & {
      isTypeAssignableTo(one: ts.Type, other: ts.Type): boolean;
    };
    const signatures = signaturesOf(type, this.checker).map(({ pattern, value }) => ({
      pattern,
      value,
      revive: this.revive(value),
    }));
    if (!signatures.some(({ revive }) => revive)) return undefined;
    const general = ({ value }: { value: ts.Type }) =>
      signatures.filter((each) => compare.isTypeAssignableTo(each.value, value)).length;
    const additional = signatures.find(({ pattern }) => pattern === undefined)?.revive;
    const patterns = signatures
      .filter(({ pattern }) => pattern !== undefined)
      .sort((one, other) => general(one) - general(other))
      .map(({ pattern, revive }) => ({ pattern: pattern!, ...optional('revive', revive) }));
    return { ...(patterns.length > 0 ? { patterns } : {}), ...optional('additional', additional) };
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
    const each = (element: ts.Type) => this.revive(element) ?? null;
    if (rest === -1) return { kind: 'tuple', items: elements.map(each) };
    const last = elements.slice(rest + 1).map(each);
    return {
      kind: 'tuple',
      items: elements.slice(0, rest).map(each),
      ...optional('rest', this.revive(elements[rest]!)),
      ...(last.length > 0 ? { last } : {}),
    };
  }

  /** The more specific form is tried first: a date is also a string, and a small bigint is also a number. */
  private reviveUnion(type: ts.UnionType): Revival | undefined {
    const parts = this.role === 'input' ? sendableParts(type.types, this.checker) : type.types;
    const members = parts.filter((part) => !(part.flags & NO_VALUE));
    const revivals = members
      .map((member) => ({ member, revive: this.revive(member) }))
      .sort((a, b) => unionOrder(a.revive) - unionOrder(b.revive));
    const nullable = acceptsNull(type);
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

  /** The schema of an alternative. Types with a name are in `definitions`, each once. */
  private schemaOf(type: ts.Type): JsonSchema {
    const known = this.conditions[this.role].get(type);
    if (known) return known;
    this.generator.begin(this.role);
    // The schema of the whole type has already reported the problems of its members.
    const schema = this.generator.reporter.muted(() => {
      try {
        return this.pool.add(this.generator.finisher.finishPart(this.generator.define(type), this.role));
      } catch (error) {
        return this.generator.refuse(error);
      }
    });
    this.conditions[this.role].set(type, schema);
    return schema;
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

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}
