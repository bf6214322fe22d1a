import { type Definition, type Corrections, ts } from './tjs-adapter.js';
import { type DocComments, hasOwnDocs } from '../docs/doc-comments.js';
import { referenceTo, withoutForeign, type SharedType } from './shared-types.js';

/** Writes the schemas at the places where types are used. */
export class TypeUses {
  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly docs: DocComments,
    private readonly parse: Corrections['readComments'],
  ) {}

  /**
   * Returns the schema at a place that uses a type: a reference, or a copy if it is short, with the keywords
   * of this place.
   */
  define(shared: SharedType, type: ts.Type, [reffed, property]: (ts.Symbol | undefined)[]): Definition {
    shared.isRecursive ||= shared.isOpen;
    const isCopied = !shared.isRecursive && isShort(type, shared.definition);
    const meant = isCopied ? structuredClone(shared.definition) : referenceTo(shared);
    const others: Record<string, true> = {};
    const said: Definition = {};
    this.parse(reffed, said, others);
    for (const symbol of [type.getSymbol(), type.aliasSymbol])
      for (const keyword of Object.keys(this.keywordsOf(symbol))) delete said[keyword];
    this.parse(property, said, others);
    // The keywords have the order of the source, where the comment comes before the type.
    const whole = { ...said, ...meant, ...said };
    const definition = isCopied || this.checker.isArrayLikeType(type) ? whole : withoutForeign(whole);
    return others.nullable ? { anyOf: [definition, { type: 'null' }] } : definition;
  }

  /** What the doc comment of a type says. */
  keywordsOf(symbol: ts.Symbol | undefined): Definition {
    return symbol && hasOwnDocs(symbol) ? this.docs.of(symbol).keywords : {};
  }

  /**
   * The parts of a union. TypeScript splits `Secret | null` if `Secret` is a union, and keeps the name aside. Such a
   * part stays whole if its doc tags say something about its values.
   */
  partsOf(type: ts.UnionType, definition: Definition): readonly ts.Type[] {
    const { origin } = type as { origin?: ts.Type };
    if (!origin?.isUnion() || !origin.types.some((part) => part.isUnion())) return type.types;
    const parts = origin.types.map((part) => ({ part, keywords: this.keywordsOf(part.aliasSymbol) }));
    const [words, more] = parts.flatMap(({ keywords }) => keywords.description ?? []);
    if (more === undefined && words !== undefined) definition.description ??= words;
    const isWhole = (keywords: Definition) => Object.keys(keywords).some((name) => name !== 'description');
    if (!parts.some(({ keywords }) => isWhole(keywords))) return type.types;
    return parts.flatMap(({ part, keywords }) =>
      part.isUnion() && !isWhole(keywords) ? this.partsOf(part, definition) : [part],
    );
  }

  /** Whether a doc comment already says everything that the type would say. */
  saysType(symbol: ts.Symbol | undefined): boolean {
    const keywords = this.keywordsOf(symbol);
    return Object.hasOwn(keywords, 'type') || Object.hasOwn(keywords, 'ignore');
  }
}

/** `Readonly<T>` has the values of T. So has `Mutable<T>`, as in typescript-json-schema. */
export function unwrap(type: ts.Type): ts.Type {
  const { aliasSymbol, aliasTypeArguments } = type;
  const name = aliasSymbol?.escapedName;
  return (name === 'Readonly' || name === 'Mutable') && aliasTypeArguments?.[0]
    ? unwrap(aliasTypeArguments[0])
    : type;
}

/** A union or tuple of at most this many bytes of JSON is written out at each use. */
const SHORT = 200;

/** Lists and short choices are written out at each use. Objects and enumerations with a name are not. */
function isShort(type: ts.Type, definition: Definition): boolean {
  if (type.flags & ts.TypeFlags.EnumLike) return false;
  const isList = definition.type === 'array';
  if (!isList && !type.isUnion()) return false;
  return JSON.stringify(definition).length <= SHORT;
}

/** Whether a property has decorators, which may have rules for its values. */
export function hasDecorators({ valueDeclaration }: ts.Symbol): boolean {
  return (
    !!valueDeclaration &&
    ts.canHaveDecorators(valueDeclaration) &&
    !!ts.getDecorators(valueDeclaration)?.length
  );
}
