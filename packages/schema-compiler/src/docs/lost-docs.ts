import { cutText } from '@toolwright/json';
import { keptAlias } from '../program/kept-aliases.js';
import type { Reporter } from '../diagnostics/reporter.js';
import { type Definition, ts } from '../generator/tjs-adapter.js';
import { type SchemaRole, meaningOf } from '../types/members.js';
import { isForeign } from '../types/unsendable.js';
import type { PropertyRules } from '../validators/property-rules.js';
import {
  type TypeMapper,
  type WrittenType,
  memberAt,
  membersAt,
  membersInferred,
  replacing,
  templateOf,
  typeOf,
  withoutParentheses,
  writtenType,
} from './accessed-members.js';
import type { CarriedDocs } from './carried-docs.js';
import { type DocComments, hasOwnDocs } from './doc-comments.js';
import { takenFrom, typesIn } from './taken-members.js';
import { isHeldTo } from './schema-tags.js';

/**
 * Finds types with doc tags at places that lose the tags: TypeScript has resolved the name there, or has made another
 * type of it, as in `` `key-${Name}` `` and `Pick<Login, 'pin'>`. A mark of `@sensitive` and a limit of an argument
 * must not disappear, so their loss is an error. The limits of a part of a text, or of a key, are a warning: the form
 * of the text is checked all the same.
 */
export class LostDocs {
  private readonly seen = new Set<ts.Node>();
  /** The type that is checked. */
  private whole: ts.Node | undefined;
  private role: SchemaRole = 'input';
  /** What the type parameters of the current declaration are. */
  private mapper: TypeMapper | undefined;

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly docs: DocComments,
    private readonly reporter: Reporter,
    private readonly rules: Pick<PropertyRules, 'heldBy'>,
    private readonly carried: CarriedDocs,
  ) {}

  /**
   * @param written the type of a property or a parameter, or of a result. The schema already has what its own name says
   */
  check(written: WrittenType | undefined, role: SchemaRole): void {
    if (!written) return;
    this.role = role;
    this.seen.clear();
    this.mapper = written.mapper;
    this.whole = written.node;
    const inner = withoutParentheses(written.node);
    if (memberAt({ ...written, node: inner }, this.checker)) return;
    if (ts.isTypeReferenceNode(inner)) this.visitArguments(inner);
    else this.visit(inner);
  }

  private visit(node: ts.Node): void {
    if (ts.isTypeReferenceNode(node)) {
      const symbol = meaningOf(node.typeName, this.checker);
      const type = this.typeOf(node);
      if (symbol && !this.carries(type, symbol)) this.tell(symbol, node);
      return this.visitArguments(node);
    }
    if (ts.isIndexedAccessTypeNode(node)) return this.visitAccess(node);
    if (ts.isTemplateLiteralTypeNode(node)) return this.visitKeys(node);
    if (ts.isConditionalTypeNode(node)) return this.visitCondition(node);
    if (ts.isIntersectionTypeNode(node)) for (const part of node.types) this.tellChanged(part);
    if (HAS_OWN_MEMBERS.some((is) => is(node))) return;
    ts.forEachChild(node, (child) => this.visit(child));
  }

  private visitArguments(node: ts.TypeReferenceNode): void {
    const type = this.typeOf(node);
    const name = node.typeName.getText();
    const { typeArguments = [] } = node;
    if (name === 'Record' && typeArguments[0]) this.visitKeys(typeArguments[0]);
    if (STRING_MAPPINGS.has(name)) return this.visitKeys(node);
    const isOther = isMapped(type) && name !== 'Readonly' && name !== 'Record';
    for (const argument of typeArguments) {
      if (isOther) this.tellChanged(argument);
      this.visit(argument);
    }
    const declaration = meaningOf(node.typeName, this.checker)?.declarations?.find(ts.isTypeAliasDeclaration);
    if (!declaration || this.seen.has(declaration)) return;
    if (declaration.getSourceFile().isDeclarationFile) {
      const given = typesIn(node).map((each) => this.typeOf(each));
      const isReturned = /ReturnType\b/.test(node.getText());
      for (const member of takenFrom({ made: type, given, isReturned }, this.checker))
        if (!this.carried.isCarried(member, this.whole)) this.tell(member, node);
      return;
    }
    this.seen.add(declaration);
    this.within(this.mapperFor(declaration, typeArguments), declaration.type);
    // With other arguments, a generic type may lose something else.
    if (declaration.typeParameters) this.seen.delete(declaration);
  }

  /** What an alias makes of its type parameters. */
  private mapperFor(
    { typeParameters = [] as unknown as ts.NodeArray<ts.TypeParameterDeclaration> }: ts.TypeAliasDeclaration,
    written: readonly ts.TypeNode[],
  ): TypeMapper | undefined {
    if (typeParameters.length === 0) return undefined;
    const given = written.map((argument) => this.typeOf(argument));
    const parameters = typeParameters.map((each) => this.checker.getTypeAtLocation(each));
    const targets = typeParameters.map(
      (each, index) => given[index] ?? (each.default ? this.typeOf(each.default) : parameters[index]!),
    );
    return replacing(parameters, targets);
  }

  private within(mapper: TypeMapper | undefined, node: ts.TypeNode): void {
    const outer = this.mapper;
    this.mapper = mapper;
    this.visit(node);
    this.mapper = outer;
  }

  private typeOf(node: ts.TypeNode): ts.Type {
    return typeOf({ node, mapper: this.mapper }, this.checker);
  }

  /** Names inside of a text or of a key, where only the form of the text is left. */
  private visitKeys(node: ts.Node): void {
    if (ts.isTypeReferenceNode(node)) {
      const symbol = meaningOf(node.typeName, this.checker);
      for (const alias of keptAlias(this.typeOf(node))?.chain ?? (symbol ? [symbol] : []))
        this.tell(alias, node, 'text');
    }
    if (ts.isIndexedAccessTypeNode(node)) {
      for (const member of membersAt({ node, mapper: this.mapper }, this.checker))
        this.tell(member, node, 'text');
      return;
    }
    ts.forEachChild(node, (child) => this.visitKeys(child));
  }

  private visitAccess(node: ts.IndexedAccessTypeNode): void {
    if (this.carried.isHeld(node, this.whole)) return;
    for (const property of membersAt({ node, mapper: this.mapper }, this.checker)) {
      const made = templateOf(property);
      // In `{ [K in keyof T]: K }[keyof T]`, the values are no longer those of T.
      if (made && !ts.isIndexedAccessTypeNode(withoutParentheses(made.node)))
        this.within(made.mapper, made.node);
      else this.tell(property, node);
    }
  }

  /** A condition has the values of one of its branches. */
  private visitCondition(node: ts.ConditionalTypeNode): void {
    const whole = this.typeOf(node);
    if (whole.flags & ts.TypeFlags.Never) return;
    for (const { member, parameter } of membersInferred({ node, mapper: this.mapper }, this.checker))
      if (!this.carried.isHeld(parameter, this.whole)) this.tell(member, node);
    for (const branch of [node.trueType, node.falseType])
      if (this.typeOf(branch) === whole) this.visit(branch);
  }

  /** A type whose properties become another type. What they say themselves stays. */
  private tellChanged(node: ts.TypeNode): void {
    const symbol = ts.isTypeReferenceNode(node) ? meaningOf(node.typeName, this.checker) : undefined;
    if (symbol && !keptAlias(this.typeOf(node))) this.tell(symbol, node);
  }

  private carries(type: ts.Type, symbol: ts.Symbol): boolean {
    return (
      type.aliasSymbol === symbol || type.getSymbol() === symbol || !!keptAlias(type)?.chain.includes(symbol)
    );
  }

  private tell(symbol: ts.Symbol, node: ts.Node, as: 'value' | 'text' = 'value'): void {
    const written = writtenType(symbol);
    const further = written && memberAt(written, this.checker);
    if (further && !this.carried.isCarried(further, this.whole)) this.tell(further, node, as);
    if (symbol.flags & ts.SymbolFlags.TypeParameter) return;
    const { keywords } = hasOwnDocs(symbol) ? this.docs.said(symbol) : { keywords: {} as Definition };
    const decorators = this.rules.heldBy(symbol);
    const isSecret = keywords['x-sensitive'] === true || decorators.includes('Sensitive');
    const lost = Object.keys(keywords).filter(
      (name) => isHeldTo(name) || name === 'type' || name === 'format',
    );
    if (keywords['x-sensitive'] === true) lost.unshift('sensitive');
    lost.push(...decorators);
    // The project cannot change the limits of another package.
    if (lost.length === 0 || (!isSecret && isForeign(symbol))) return;
    const above = ts.isTemplateLiteralTypeSpan(node.parent) ? node.parent.parent : node.parent;
    const place = ts.isTypeNode(above) ? above : node;
    const detail = `${lost.map((name) => `@${name}`).join(', ')} of ${symbol.name} does not reach the values of ${shortened(place.getText())}.`;
    const isLoss = isSecret || (this.role === 'input' && as === 'value');
    this.reporter.report(isLoss ? 'TW_SCHEMA_LOST_RULE' : 'TW_SCHEMA_LOST_TAG', detail, node);
  }
}

/** Types that are visited when their own members are, or whose parts are other things than values. */
const HAS_OWN_MEMBERS = [
  ts.isTypeLiteralNode,
  ts.isFunctionTypeNode,
  ts.isConstructorTypeNode,
  ts.isMappedTypeNode,
  ts.isTypeQueryNode,
  ts.isImportTypeNode,
] as const;

const STRING_MAPPINGS = new Set(['Uppercase', 'Lowercase', 'Capitalize', 'Uncapitalize']);

function isMapped(type: ts.Type): boolean {
  const { objectFlags = 0 } = type as ts.Type & { objectFlags?: ts.ObjectFlags };
  return !!(type.flags & ts.TypeFlags.Object && objectFlags & ts.ObjectFlags.Mapped);
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return cutText(line, 80, '…');
}
