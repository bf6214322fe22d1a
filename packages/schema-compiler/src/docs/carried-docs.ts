import { type Definition, ts } from '../generator/tjs-adapter.js';
import {
  type WrittenType,
  inferenceOf,
  itemOf,
  memberAt,
  membersInferred,
  replacing,
  typeOf,
  withoutParentheses,
  writtenType,
} from './accessed-members.js';
import type { DocComments } from './doc-comments.js';
import { meaningOf } from '../types/members.js';

/** A type as written, with the types that were given to the alias around it. */
interface Place extends WrittenType {
  readonly given?: ReadonlyMap<ts.Symbol, Place>;
}

/** What a walk over a written type adds to its definition. */
export interface Carrier {
  /** Adds what a member says. */
  add(member: ts.Symbol, definition: Definition): Definition;
  /** The definition that a reference refers to. */
  resolve(definition: Definition): Definition;
}

/**
 * Carries what a member says to the places where its type is used again: to `User['id']`, to the values of
 * `User['id'][]`, `Record<string, User['id']>` and `NonNullable<User['id']>`, also behind an alias, and to the P of
 * `T extends { id: infer P } ? { id: P } : never`.
 */
export class CarriedDocs {
  /** The places of the last written type that got what their member says. */
  private readonly held = new Set<ts.Node>();
  /** The members whose words they got. */
  private readonly members = new Set<ts.Symbol>();
  private whole: ts.Node | undefined;

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly docs: DocComments,
  ) {}

  carry(written: WrittenType | undefined, definition: Definition, carrier: Carrier): Definition {
    if (!written) return definition;
    this.held.clear();
    this.members.clear();
    this.whole = written.node;
    return this.walk(written, definition, { ...carrier, seen: new Set() });
  }

  /** Whether a place of a written type, such as the P of its `infer P`, has got what its member says. */
  isHeld(place: ts.Node, whole: ts.Node | undefined): boolean {
    return this.whole === whole && this.held.has(place);
  }

  /** Whether a place of a written type has got what a member says. */
  isCarried(member: ts.Symbol, whole: ts.Node | undefined): boolean {
    return this.whole === whole && this.members.has(member);
  }

  private walk(place: Place, definition: Definition, walk: Walk): Definition {
    const node = withoutParentheses(place.node);
    if (definition.$ref !== undefined) {
      const { $ref: _ref, ...own } = definition;
      const shared = walk.resolve(definition);
      // A type that is being defined is still a reference.
      const copy = shared.$ref === undefined ? this.walk(place, shared, walk) : shared;
      return copy === shared ? definition : { ...copy, ...own };
    }
    const member = memberAt({ ...place, node }, this.checker);
    if (member) {
      this.held.add(node);
      return this.add(member, definition, walk);
    }
    if (ts.isTypeReferenceNode(node)) return this.walkReference({ ...place, node }, definition, walk);
    const item = itemOf(node);
    if (item) return this.walkItems({ ...place, node: item }, definition, walk);
    if (ts.isMappedTypeNode(node)) return this.walkValues({ ...place, node }, definition, walk);
    if (ts.isConditionalTypeNode(node)) {
      const taken = this.branchOf({ ...place, node });
      if (!taken) return definition;
      return ts.isTypeLiteralNode(taken.node)
        ? this.walkMembers({ ...taken, node: taken.node }, definition, walk)
        : this.walk(taken, definition, walk);
    }
    const parts = ts.isUnionTypeNode(node)
      ? node.types.filter((part) => !isNothing(part))
      : ts.isIntersectionTypeNode(node)
        ? node.types.filter((part) => !(ts.isTypeLiteralNode(part) && part.members.length === 0))
        : [];
    return parts.length === 1 ? this.walk({ ...place, node: parts[0]! }, definition, walk) : definition;
  }

  /** The branch that a condition takes. The type of its true branch may contain an `infer P`. */
  private branchOf({ node, ...place }: Place & { node: ts.ConditionalTypeNode }): Place | undefined {
    const typeAt = (each: ts.TypeNode) => typeOf({ ...place, node: each }, this.checker);
    const whole = typeAt(node);
    if (whole.flags & ts.TypeFlags.Never) return undefined;
    const isTaken = (each: ts.TypeNode) =>
      typeAt(each) === whole || (ts.isTypeLiteralNode(each) && typeAt(each).symbol === whole.symbol);
    const [taken, ...more] = [node.trueType, node.falseType].filter(isTaken);
    if (more.length > 0) return undefined;
    const only = taken ?? (typeAt(node.falseType).flags & ts.TypeFlags.Never ? node.trueType : undefined);
    return only && { ...place, node: only };
  }

  private add(member: ts.Symbol, definition: Definition, walk: Walk): Definition {
    this.members.add(member);
    const { type, ...keywords } = this.docs.said(member).keywords;
    // The member's own type may be taken from another one. What is said nearer to the use wins.
    const written = writtenType(member);
    const further = written ? this.walk(written, definition, walk) : definition;
    const own = Object.fromEntries(Object.keys(definition).map((name) => [name, further[name]]));
    return walk.add(member, {
      ...further,
      ...keywords,
      ...own,
      ...(type && { type: withNull(type as string | string[], definition) }),
    });
  }

  private walkReference(
    { node, mapper, given }: Place & { node: ts.TypeReferenceNode },
    definition: Definition,
    walk: Walk,
  ): Definition {
    const place = { node, mapper, given };
    const symbol = meaningOf(node.typeName, this.checker);
    const argument = symbol && given?.get(symbol);
    if (argument) return this.walk(argument, definition, walk);
    const inferred = this.inferredBy(place);
    if (inferred) return this.add(inferred, definition, walk);
    const { typeArguments = [] as readonly ts.TypeNode[] } = node;
    const item = itemOf(node);
    if (item) return this.walkItems({ ...place, node: item }, definition, walk);
    if (MAPS.has(node.typeName.getText()) && typeArguments[1])
      return onValues(definition, (value) => this.walk({ ...place, node: typeArguments[1]! }, value, walk));
    const alias = symbol?.declarations?.find(ts.isTypeAliasDeclaration);
    if (!alias || walk.seen.has(alias)) return definition;
    walk.seen.add(alias);
    const inside = this.within(alias, typeArguments, place);
    const found = this.walk(inside, definition, walk);
    walk.seen.delete(alias);
    return found;
  }

  /** The type of an alias, with what its type parameters are. */
  private within(alias: ts.TypeAliasDeclaration, written: readonly ts.TypeNode[], place: Place): Place {
    const parameters = alias.typeParameters ?? [];
    if (parameters.length === 0) return { node: alias.type };
    const given = parameters.map((each, index) => {
      const node = written[index] ?? each.default;
      return node && { ...place, node };
    });
    const types = parameters.map((each) => this.checker.getTypeAtLocation(each));
    return {
      node: alias.type,
      mapper: replacing(
        types,
        given.map((each, index) => (each ? typeOf(each, this.checker) : types[index]!)),
      ),
      given: new Map(
        parameters.flatMap((each, index) => {
          const symbol = this.checker.getSymbolAtLocation(each.name);
          return symbol && given[index] ? [[symbol, given[index]] as const] : [];
        }),
      ),
    };
  }

  private walkItems(item: Place, definition: Definition, walk: Walk): Definition {
    const { items } = definition;
    if (typeof items !== 'object' || items === null || Array.isArray(items)) return definition;
    const carried = this.walk(item, items as Definition, walk);
    return carried === items ? definition : { ...definition, items: carried };
  }

  /** The members of `{ id: P }`, of whose types only the condition around them knows what P is. */
  private walkMembers(
    { node, ...place }: Place & { node: ts.TypeLiteralNode },
    definition: Definition,
    walk: Walk,
  ): Definition {
    const types = new Map(
      node.members.flatMap((each) =>
        ts.isPropertySignature(each) && each.type ? [[each.name.getText(), each.type] as const] : [],
      ),
    );
    return onValues(definition, (value, name) => {
      const type = name !== undefined && types.get(name);
      return type ? this.walk({ ...place, node: type }, value, walk) : value;
    });
  }

  /** The values of `{ [P in K]: T }`. Those of `T[P]` are members of their own. */
  private walkValues(
    { node, ...place }: Place & { node: ts.MappedTypeNode },
    definition: Definition,
    walk: Walk,
  ): Definition {
    const { type } = node;
    const argument =
      type && ts.isTypeReferenceNode(type) && place.given?.get(meaningOf(type.typeName, this.checker)!);
    if (!argument) return definition;
    return onValues(definition, (value) => this.walk(argument, value, walk));
  }

  private inferredBy({ node, mapper }: Place): ts.Symbol | undefined {
    const inference = inferenceOf(node, this.checker);
    if (!inference) return undefined;
    const { parameter, condition } = inference;
    const members = membersInferred({ node: condition, mapper }, this.checker)
      .filter((each) => each.parameter === parameter)
      .map(({ member }) => member);
    if (members.length !== 1) return undefined;
    this.held.add(parameter);
    return members[0];
  }
}

interface Walk extends Carrier {
  /** Aliases around the place, which may refer to themselves. */
  readonly seen: Set<ts.Node>;
}

/** Changes the values of a record or a map. */
function onValues(
  definition: Definition,
  change: (value: Definition, name?: string) => Definition,
): Definition {
  const { properties = {}, additionalProperties } = definition;
  const values = Object.entries(properties).map(
    ([name, value]) => [name, value, change(value, name)] as const,
  );
  const others =
    typeof additionalProperties === 'object' ? change(additionalProperties) : additionalProperties;
  if (others === additionalProperties && values.every(([, before, after]) => before === after))
    return definition;
  return {
    ...definition,
    ...(definition.properties && {
      properties: Object.fromEntries(values.map(([name, , after]) => [name, after])),
    }),
    ...(others !== undefined && { additionalProperties: others }),
  };
}

const MAPS = new Set(['Map', 'ReadonlyMap']);

/** The type that a doc tag says, and null if the definition has it. */
function withNull(type: string | string[], definition: Definition): string | string[] {
  return [definition.type].flat().includes('null') ? ['null', ...[type].flat()] : type;
}

/** `null` and `undefined` */
function isNothing(node: ts.TypeNode): boolean {
  if (ts.isLiteralTypeNode(node)) return node.literal.kind === ts.SyntaxKind.NullKeyword;
  return node.kind === ts.SyntaxKind.UndefinedKeyword;
}
