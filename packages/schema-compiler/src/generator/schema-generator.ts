import { type JsonSchema, reasonOf } from '@toolwright/json';
import { type Corrections, type Definition, StockWithCorrections, type TypeUse, ts } from './tjs-adapter.js';
import { applyDefault } from '../defaults/apply-default.js';
import type { Reporter } from '../diagnostics/reporter.js';
import { UnsupportedType } from '../diagnostics/diagnostic.js';
import { dropUnfit, type KeywordProblem } from './value-problems.js';
import { DocComments, coerceToText, hasOwnDocs } from '../docs/doc-comments.js';
import {
  type WrittenType,
  isWrapped,
  itemOf,
  referencedSymbol,
  templateOf,
  writtenType,
} from '../docs/accessed-members.js';
import { CarriedDocs } from '../docs/carried-docs.js';
import { LostDocs } from '../docs/lost-docs.js';
import { SchemaFinisher } from './finish-schema.js';
import { type PropertyRules, openClass } from '../validators/property-rules.js';
import { addDiscriminator } from '../validators/discriminators.js';
import { classifyType } from '../types/classify-type.js';
import { inDeclaredOrder } from './declared-order.js';
import { JsonProperties } from '../types/json-properties.js';
import { type SchemaRole, isNothing } from '../types/members.js';
import { applyItemTags, enumDefinition, itemDefinition, unionSchema } from './plain-schemas.js';
import { Structures } from './structures.js';
import {
  type SharedType,
  SharedTypes,
  type Side,
  isAnonymous,
  isComposite,
  typeName,
} from './shared-types.js';
import { schemaOfSpecial, serialised } from './special-schema.js';
import { hasDecorators, TypeUses, unwrap } from './type-uses.js';
import { keptAlias } from '../program/kept-aliases.js';
import { isForeign, isGiven, refuseUnsendable, sendableParts } from '../types/unsendable.js';

/** A recursive type meets itself again long before. Deeper, the generator would need too much stack. */
const MAX_DEPTH = 400;

/** A type without end meets the same declaration again and again, each time with another type argument. */
const MAX_SAME = 40;

/**
 * Creates schemas with the generator of typescript-json-schema, corrected where its schema does not describe the JSON
 * of a value. One instance serves all tools of a project; `begin` starts the next schema.
 */
export class SchemaGenerator implements Corrections {
  private role: SchemaRole = 'input';
  private depth = 0;
  /** How often each declaration is above the current type. */
  private readonly above = new Map<ts.Symbol, number>();
  /** The current definition belongs to declarations of another package. */
  private foreign = false;
  readonly properties: JsonProperties;
  readonly docs: DocComments;
  readonly shared = new SharedTypes();
  /** Returns the definition that a reference refers to. */
  readonly resolve = (definition: Definition): Definition => this.shared.resolve(definition);
  readonly finisher = new SchemaFinisher(this.shared);
  readonly lost: LostDocs;
  private readonly carried: CarriedDocs;
  private readonly uses: TypeUses;
  private readonly stock: StockWithCorrections;
  private readonly structures: Structures;

  constructor(
    private readonly checker: ts.TypeChecker,
    readonly reporter: Reporter,
    private readonly rules: PropertyRules,
  ) {
    this.properties = new JsonProperties(checker, rules);
    this.docs = new DocComments(checker, reporter);
    this.carried = new CarriedDocs(checker, this.docs);
    this.lost = new LostDocs(checker, this.docs, reporter, rules, this.carried);
    this.uses = new TypeUses(checker, this.docs, (...target) => this.readComments(...target));
    this.stock = new StockWithCorrections(checker, this);
    this.structures = new Structures(this, checker);
  }

  /** Starts a schema, also if the one before was interrupted by an error. What is known about types is kept. */
  begin(role: SchemaRole): void {
    this.role = role;
    this.depth = 0;
    this.above.clear();
    this.foreign = false;
    this.stock.reset();
  }

  /** Returns a complete 2020-12 schema for a definition that was created since `begin`. */
  finish(definition: Definition): JsonSchema {
    return this.finisher.finish(definition, this.role);
  }

  /** The definition of a type, at a place that uses it. */
  define(type: ts.Type, use: TypeUse = {}): Definition {
    const { property, reffed } = use;
    const inner = unwrap(type);
    if (inner !== type) {
      const definition = this.define(inner, { unionModifier: use.unionModifier, property });
      for (const each of this.checker.getPropertiesOfType(type)) this.tellLeftBehind(each, type);
      return definition;
    }
    try {
      const same = type.symbol ? (this.above.get(type.symbol) ?? 0) + 1 : 0;
      if (type.symbol) this.above.set(type.symbol, same);
      if (++this.depth > MAX_DEPTH || same > MAX_SAME)
        throw new UnsupportedType('TW_SCHEMA_TOO_DEEP', `${typeName(type, this.checker)} has no end.`);
      const special = this.specialDefinition(type, property, reffed);
      if (special) return special;
      if (isComposite(type) && ![property, reffed].some((symbol) => this.uses.saysType(symbol))) {
        const shared = this.share(type);
        this.reporter.retell(shared.notes);
        return this.uses.define(shared, type, [reffed, property]);
      }
      if (isNothing(type) && !use.ignoreUndefined)
        throw new UnsupportedType(
          'TW_SCHEMA_NEVER',
          `The type is ${this.checker.typeToString(type)}, and JSON has no value of it.`,
        );
      // References are created here. typescript-json-schema creates them only for some kinds of types.
      return this.stock.defineItself(type, use);
    } finally {
      this.depth--;
      if (type.symbol) this.above.set(type.symbol, this.above.get(type.symbol)! - 1);
    }
  }

  /** Returns the one schema of a type. */
  private share(type: ts.Type): SharedType {
    const outer = this.foreign;
    // In a union, the place that declares it decides what may be left out. An object's properties decide that
    // themselves.
    const holder = type.isUnion() || this.checker.isArrayLikeType(type) ? undefined : type.getSymbol();
    if (holder) this.foreign = this.role === 'input' && isForeign(holder);
    try {
      return this.shareHere(type, this.foreign && !holder ? 'foreign' : this.role);
    } finally {
      this.foreign = outer;
    }
  }

  private shareHere(type: ts.Type, side: Side): SharedType {
    const known = this.shared.find(type, side) ?? this.shared.findSame(type, side, this.checker);
    if (known) return known;
    const notes = this.reporter.openNotes();
    const shared = this.shared.open(type, side, {
      name: typeName(type, this.checker),
      isAnonymous: isAnonymous(type),
      notes,
    });
    try {
      const made = this.reporter.note(notes, () =>
        this.stock.defineItself(type, { unionModifier: 'anyOf', ignoreUndefined: true }),
      );
      shared.definition = inDeclaredOrder(made, type.aliasSymbol?.declarations?.[0], this.checker);
      this.shared.unify(shared, side);
      return shared;
    } catch (error) {
      this.shared.drop(type, side);
      throw error;
    } finally {
      this.shared.close(type, side);
      shared.isOpen = false;
    }
  }

  /** The definition of a property or a parameter; null if it is left out. */
  property(property: ts.Symbol): Definition | null {
    const outer = this.foreign;
    this.foreign = this.role === 'input' && isForeign(property);
    const define = () => {
      try {
        return this.propertyDefinition(property);
      } catch (error) {
        return this.refuse(error);
      } finally {
        this.foreign = outer;
      }
    };
    return this.reporter.at(property.valueDeclaration, () =>
      this.reporter.within(property.getName(), define, isGiven(property, this.checker)),
    );
  }

  readComments(symbol: ts.Symbol | undefined, definition: Definition, others: Record<string, true>): void {
    if (!symbol || !hasOwnDocs(symbol)) return;
    const { keywords, items, nullable } = this.docs.of(symbol);
    Object.assign(definition, structuredClone(keywords));
    if (items) definition['~items'] = items;
    if (nullable) others.nullable = true;
  }

  defineRoot(type: ts.Type, definition: Definition): Definition | undefined {
    return this.structures.root(type, definition, this.role);
  }

  defineUnion(type: ts.UnionType, definition: Definition, unionModifier: string): Definition {
    const parts = this.uses.partsOf(type, definition);
    const members = this.role === 'input' ? sendableParts(parts, this.checker) : parts;
    return unionSchema(members, definition, (member) => {
      const symbol = member.aliasSymbol;
      return this.define(member, { unionModifier, property: symbol, reffed: symbol, ignoreUndefined: true });
    });
  }

  defineEnum(type: ts.Type, definition: Definition): Definition {
    const found = enumDefinition(type, this.checker);
    const symbol = type.getSymbol();
    if (this.role === 'input' && symbol && !isForeign(symbol) && !('enum' in found || 'const' in found))
      this.reporter.report(
        'TW_SCHEMA_OPEN_ENUM',
        `${symbol.name} has a computed member.`,
        symbol.valueDeclaration,
      );
    return Object.assign(definition, found);
  }

  defineObject(type: ts.Type, definition: Definition): Definition {
    return this.structures.object(type, definition, this.role);
  }

  /**
   * Reports why something has no schema. If one property has a problem, the others stay as they are. A type
   * without end, or a failure of the generator itself, concerns the whole parameter.
   */
  refuse(error: unknown): Definition {
    const expected = error instanceof UnsupportedType;
    if (this.depth > 0 && !(expected && error.code !== 'TW_SCHEMA_TOO_DEEP')) throw error;
    // typescript-json-schema attaches whole types to its errors. Only the message is used.
    const message = reasonOf(error);
    this.reporter.report(expected ? error.code : 'TW_SCHEMA_INTERNAL', message);
    return {};
  }

  private propertyDefinition(property: ts.Symbol): Definition | null {
    const type = this.checker.getTypeOfSymbol(property);
    const reffed = referencedSymbol(property, this.checker);
    const written = property.valueDeclaration as { type?: ts.TypeNode } | undefined;
    const made = templateOf(property);
    const used = inDeclaredOrder(
      this.addAccessed(
        made && itemOf(made.node) ? made : writtenType(property),
        this.openDefinition(property, type) ?? this.define(type, { property, reffed }),
      ),
      written?.type,
      this.checker,
    );
    if (!isForeign(property)) this.lost.check(writtenType(property), this.role);
    if (Object.hasOwn(used, 'ignore')) return null;
    // Decorators also need the values of a long enumeration and the items of a list, so the reference is
    // resolved.
    const resolved = this.resolve(used);
    const isNeeded = hasDecorators(property) && !resolved.properties && resolved.$ref === undefined;
    const typed = isNeeded ? resolved : used;
    applyItemTags(typed);
    // This is decided before the decorators change the schema.
    const isMendable = !isForeign(property) && !isWrapped(property) && this.role === 'input';
    const docs = this.docs.of(property);
    const { checker, resolve, rules, role } = this;
    const problems: KeywordProblem[] = isMendable
      ? rules.problems(property, typed, { tags: docs.keywords, resolve })
      : [];
    const definition = this.addNames(property, rules.apply(property, typed, { role, resolve }));
    if (role === 'input')
      problems.push(...applyDefault(property, definition, { checker, rules, resolve, docs }));
    coerceToText(definition, docs);
    problems.unshift(...dropUnfit(definition, isForeign(property), resolve));
    if (!isForeign(property)) for (const { code, detail } of problems) this.reporter.report(code, detail);
    for (const symbol of [reffed, property]) if (symbol) this.docs.check(symbol, definition, resolve);
    return definition;
  }

  /** Adds what the type of a parameter says, as written, where `Parameters` has made an item of a tuple of it. */
  ofParameter(label: ts.Declaration | undefined, definition: Definition): Definition {
    const node = label && (label as ts.ParameterDeclaration | ts.NamedTupleMember).type;
    if (!node || node.getSourceFile().isDeclarationFile) return definition;
    const whole = this.addAccessed({ node }, definition);
    if (ts.isParameter(label)) this.lost.check({ node }, this.role);
    return whole;
  }

  /** Adds the names by which class-transformer finds the classes of the values. */
  private addNames(property: ts.Symbol, definition: Definition): Definition {
    const discriminator = this.role === 'input' ? this.rules.discriminatorOf(property) : undefined;
    if (!discriminator) return definition;
    return addDiscriminator(definition, discriminator, {
      define: (type) => this.define(type, { ignoreUndefined: true }),
      resolve: this.resolve,
      report: (detail, node) => this.reporter.report('TW_SCHEMA_DISCRIMINATOR', detail, node),
    });
  }

  /** Adds what the property says whose type is written as `Login['pin']`. */
  addAccessed(node: WrittenType | undefined, definition: Definition): Definition {
    const { resolve, role } = this;
    return this.carried.carry(node, definition, {
      add: (member, whole) => {
        const applied = this.rules.apply(member, whole, { role, resolve });
        this.tellLeftBehind(member);
        return applied;
      },
      resolve,
    });
  }

  tellLeftBehind(property: ts.Symbol, holder?: ts.Type): void {
    const named = holder?.getSymbol();
    // A package that makes an interface of its own class has decided that.
    if (named && named.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface) && isForeign(named)) return;
    if (this.role === 'output' || !this.rules.isLeftBehind(property, holder)) return;
    const detail = `Decorators of ${property.name} that only the running class knows do not reach this value.`;
    const { parent } = property.valueDeclaration ?? {};
    const isOwn = parent !== undefined && named?.declarations?.includes(parent as ts.Declaration);
    this.reporter.report('TW_SCHEMA_LOST_RULE', detail, isOwn ? property.valueDeclaration : undefined, true);
  }

  private openDefinition(property: ts.Symbol, type: ts.Type): Definition | undefined {
    const open =
      this.role === 'input'
        ? openClass(property, type, { checker: this.checker, rules: this.rules })
        : undefined;
    const definition = open && this.define(open.type);
    const whole = open?.isList ? { type: 'array', items: definition } : definition;
    return whole && ({ ...whole, ...this.docs.of(property).keywords } as Definition);
  }

  private specialDefinition(
    type: ts.Type,
    property: ts.Symbol | undefined,
    reffed: ts.Symbol | undefined,
  ): Definition | undefined {
    if (this.role === 'input') refuseUnsendable(type, this.checker);
    const special =
      classifyType(type, this.checker) ??
      (this.role === 'output' ? serialised(type, this.checker) : undefined);
    if (!special) return undefined;
    const annotations: Definition = {};
    const others: Record<string, true> = {};
    const aliases = keptAlias(type)?.chain.toReversed() ?? [type.aliasSymbol];
    for (const symbol of [...aliases, reffed, property]) this.readComments(symbol, annotations, others);
    if (Object.hasOwn(annotations, 'ignore') || Object.hasOwn(annotations, 'type')) return annotations;
    const define = (inner: ts.Type) => this.define(inner, { ignoreUndefined: true });
    const schema = schemaOfSpecial(special, {
      define,
      item: (inner) => itemDefinition({ checker: this.checker, role: this.role }, inner, define),
      report: (code, detail) => this.reporter.report(code, detail),
      name: () => this.checker.typeToString(type),
    });
    const merged = { ...schema, ...annotations };
    return others.nullable ? { anyOf: [merged, { type: 'null' }] } : merged;
  }
}
