import { cutText } from '@toolwright/json';
import { keptAlias } from '../program/kept-aliases.js';
import type { Reporter } from '../diagnostics/reporter.js';
import { type Definition, ts } from '../generator/tjs-adapter.js';
import type { SchemaRole } from '../types/members.js';
import { isForeign } from '../types/unsendable.js';
import type { PropertyRules } from '../validators/property-rules.js';
import { type DocComments, hasOwnDocs } from './doc-comments.js';
import { isHeldTo } from './schema-tags.js';

/**
 * Finds types with doc tags at places that lose the tags: TypeScript has resolved the name there, or has made another
 * type of it, as in `` `key-${Name}` `` and `Pick<Login, 'pin'>`. A mark of `@sensitive` and a limit of an argument
 * must not disappear, so their loss is an error. The limits of a part of a text, or of a key, are a warning: the form
 * of the text is checked all the same.
 */
export class LostDocs {
  private readonly seen = new Set<ts.Node>();
  private readonly held = new Set<ts.Node>();
  private role: SchemaRole = 'input';

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly docs: DocComments,
    private readonly reporter: Reporter,
    private readonly rules: Pick<PropertyRules, 'isUnseenIn'>,
  ) {}

  /**
   * @param node the type of a property or a parameter, or of a result. The schema already has what its own name says
   */
  check(node: ts.TypeNode | undefined, role: SchemaRole): void {
    if (!node) return;
    this.role = role;
    this.seen.clear();
    const inner = withoutParentheses(node);
    if (ts.isTypeReferenceNode(inner)) this.visitArguments(inner);
    else if (this.propertyOf(inner) === undefined) this.visit(inner);
  }

  /**
   * Adds what a property says where its type is used: for `User['id']`, for the items of `User['id'][]` and of
   * `Array<User['id']>`, and for
   * `User['id'] | null`.
   *
   * @param add adds it to a definition
   */
  addAccessed(
    node: ts.TypeNode | undefined,
    definition: Definition,
    add: (property: ts.Symbol, definition: Definition) => Definition,
  ): Definition {
    const written = node && withoutParentheses(node);
    if (!written || definition.$ref !== undefined) return definition;
    const property = this.propertyOf(written);
    if (property) {
      this.held.add(written);
      const { type, ...keywords } = this.docs.said(property).keywords;
      return add(property, { ...keywords, ...definition, ...(type && { type: withNull(type, definition) }) });
    }
    const item = itemOf(written);
    const { items } = definition;
    if (item && typeof items === 'object' && items !== null)
      return { ...definition, items: this.addAccessed(item, items as Definition, add) };
    const parts = ts.isUnionTypeNode(written) ? written.types.filter((part) => !isNothing(part)) : [];
    return parts.length === 1 ? this.addAccessed(parts[0], definition, add) : definition;
  }

  /** The property that `Login['pin']` names, or the parameter that `Parameters<typeof check>[0]` names. */
  propertyOf(node: ts.TypeNode): ts.Symbol | undefined {
    if (!ts.isIndexedAccessTypeNode(node)) return undefined;
    const holder = this.checker.getTypeFromTypeNode(node.objectType);
    return this.memberOf(holder, this.checker.getTypeFromTypeNode(node.indexType));
  }

  private memberOf(holder: ts.Type, key: ts.Type): ts.Symbol | undefined {
    if (key.isStringLiteral()) return this.checker.getPropertyOfType(holder, key.value);
    if (!key.isNumberLiteral()) return undefined;
    const { labeledElementDeclarations } = ((holder as ts.TupleTypeReference).target ??
      {}) as Partial<ts.TupleType>;
    const element = labeledElementDeclarations?.[key.value] as (ts.Node & { symbol?: ts.Symbol }) | undefined;
    return element?.symbol;
  }

  private visit(node: ts.Node): void {
    if (ts.isTypeReferenceNode(node)) {
      const symbol = this.symbolOf(node);
      const type = this.checker.getTypeFromTypeNode(node);
      if (symbol && !this.carries(type, symbol)) this.tell(symbol, node);
      return this.visitArguments(node);
    }
    if (ts.isIndexedAccessTypeNode(node)) return this.visitAccess(node);
    if (ts.isTemplateLiteralTypeNode(node)) return this.visitKeys(node);
    if (ts.isIntersectionTypeNode(node))
      for (const part of node.types) {
        this.tellChanged(part);
        this.tellUnchecked(part, node);
      }
    if (HAS_OWN_MEMBERS.some((is) => is(node))) return;
    ts.forEachChild(node, (child) => this.visit(child));
  }

  private visitArguments(node: ts.TypeReferenceNode): void {
    const type = this.checker.getTypeFromTypeNode(node);
    const name = node.typeName.getText();
    const { typeArguments = [] } = node;
    if (name === 'Record' && typeArguments[0]) this.visitKeys(typeArguments[0]);
    if (STRING_MAPPINGS.has(name)) return this.visitKeys(node);
    const isOther = isMapped(type) && name !== 'Readonly' && name !== 'Record';
    for (const argument of typeArguments) {
      if (isOther) this.tellChanged(argument);
      if (isMapped(type) && name !== 'Record') this.tellUnchecked(argument, node);
      this.visit(argument);
    }
    const declaration = this.symbolOf(node)?.declarations?.find(ts.isTypeAliasDeclaration);
    if (!declaration || this.seen.has(declaration) || declaration.getSourceFile().isDeclarationFile) return;
    this.seen.add(declaration);
    this.visit(declaration.type);
  }

  /** Names inside of a text or of a key, where only the form of the text is left. */
  private visitKeys(node: ts.Node): void {
    if (ts.isTypeReferenceNode(node)) {
      const symbol = this.symbolOf(node);
      for (const alias of keptAlias(this.checker.getTypeFromTypeNode(node))?.chain ??
        (symbol ? [symbol] : []))
        this.tell(alias, node, 'text');
    }
    ts.forEachChild(node, (child) => this.visitKeys(child));
  }

  private visitAccess(node: ts.IndexedAccessTypeNode): void {
    if (this.held.has(node)) return;
    const keys = this.checker.getTypeFromTypeNode(node.indexType);
    const holder = this.checker.getTypeFromTypeNode(node.objectType);
    for (const key of keys.isUnion() ? keys.types : [keys]) {
      const property = this.memberOf(holder, key);
      if (property) this.tell(property, node);
    }
  }

  /** A type whose properties become another type. What they say themselves stays. */
  private tellChanged(node: ts.TypeNode): void {
    const symbol = ts.isTypeReferenceNode(node) ? this.symbolOf(node) : undefined;
    if (symbol && !keptAlias(this.checker.getTypeFromTypeNode(node))) this.tell(symbol, node);
  }

  /** Rules that only a running class knows: class-validator never sees the values of `Partial<Login>`. */
  private tellUnchecked(part: ts.TypeNode, whole: ts.TypeNode): void {
    if (this.role === 'output') return;
    const type = this.checker.getTypeFromTypeNode(part);
    const made = this.checker.getTypeFromTypeNode(whole);
    const names = this.checker.getPropertiesOfType(made).map(({ name }) => name);
    if (!this.rules.isUnseenIn(type, names)) return;
    const detail = `Decorators of ${type.getSymbol()!.name} that only the running class knows do not reach the values of ${shortened(whole.getText())}.`;
    this.reporter.report('TW_SCHEMA_LOST_RULE', detail, whole);
  }

  private carries(type: ts.Type, symbol: ts.Symbol): boolean {
    return (
      type.aliasSymbol === symbol || type.getSymbol() === symbol || !!keptAlias(type)?.chain.includes(symbol)
    );
  }

  private symbolOf({ typeName }: ts.TypeReferenceNode): ts.Symbol | undefined {
    const symbol = this.checker.getSymbolAtLocation(typeName);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  private tell(symbol: ts.Symbol, node: ts.Node, as: 'value' | 'text' = 'value'): void {
    if (symbol.flags & ts.SymbolFlags.TypeParameter || !hasOwnDocs(symbol)) return;
    const { keywords } = this.docs.said(symbol);
    const isSecret = keywords['x-sensitive'] === true;
    const lost = Object.keys(keywords).filter(
      (name) => isHeldTo(name) || name === 'type' || name === 'format',
    );
    if (isSecret) lost.unshift('sensitive');
    // The project cannot change the limits of another package.
    if (lost.length === 0 || (!isSecret && isForeign(symbol))) return;
    const above = ts.isTemplateLiteralTypeSpan(node.parent) ? node.parent.parent : node.parent;
    const place = ts.isTypeNode(above) ? above : node;
    const detail = `${lost.map((name) => `@${name}`).join(', ')} of ${symbol.name} does not reach the values of ${shortened(place.getText())}.`;
    const isLoss = isSecret || (this.role === 'input' && as === 'value');
    this.reporter.report(isLoss ? 'TW_SCHEMA_LOST_RULE' : 'TW_SCHEMA_LOST_TAG', detail, node);
  }
}

function withoutParentheses(node: ts.TypeNode): ts.TypeNode {
  return ts.isParenthesizedTypeNode(node) ? withoutParentheses(node.type) : node;
}

const LISTS = new Set(['Array', 'ReadonlyArray', 'Set', 'ReadonlySet', 'Iterable']);

/** The type of the items of a list, as it is written. */
function itemOf(node: ts.TypeNode): ts.TypeNode | undefined {
  if (ts.isArrayTypeNode(node)) return node.elementType;
  if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword)
    return itemOf(withoutParentheses(node.type));
  const isList = ts.isTypeReferenceNode(node) && LISTS.has(node.typeName.getText());
  return isList ? node.typeArguments?.[0] : undefined;
}

/** The type that a doc tag says, and null if the definition has it. */
function withNull(type: string | string[], definition: Definition): string | string[] {
  return [definition.type].flat().includes('null') ? ['null', ...[type].flat()] : type;
}

/** `null` and `undefined` */
function isNothing(node: ts.TypeNode): boolean {
  if (ts.isLiteralTypeNode(node)) return node.literal.kind === ts.SyntaxKind.NullKeyword;
  return node.kind === ts.SyntaxKind.UndefinedKeyword;
}

/** Types that are visited when their own members are, or whose parts are other things than values. */
const HAS_OWN_MEMBERS = [
  ts.isTypeLiteralNode,
  ts.isFunctionTypeNode,
  ts.isConstructorTypeNode,
  ts.isMappedTypeNode,
  ts.isConditionalTypeNode,
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
