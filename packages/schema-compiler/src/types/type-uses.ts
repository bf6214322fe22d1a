import { ts } from 'typescript-json-schema';
import type { DocComments } from '../docs/doc-comments.js';
import { hasOwnDocs } from '../docs/has-own-docs.js';
import { referenceTo, withoutForeign, type SharedType } from './shared-types.js';
import type { Definition, TjsInternals } from './tjs-internals.js';

/** Writes what stands at the places where types are used. */
export class TypeUses {
  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly docs: DocComments,
    private readonly parse: TjsInternals['parseCommentsIntoDefinition'],
  ) {}

  /** What stands where a type is used: a reference, or a copy of what is short; with what is said at that place. */
  define(shared: SharedType, type: ts.Type, [reffed, property]: (ts.Symbol | undefined)[]): Definition {
    shared.isRecursive ||= shared.isOpen;
    const isCopied = !shared.isRecursive && isShort(type, shared.definition);
    const meant = isCopied ? structuredClone(shared.definition) : referenceTo(shared);
    const others: Record<string, true> = {};
    const told: Definition = {};
    this.parse(reffed, told, others);
    for (const symbol of [type.getSymbol(), type.aliasSymbol])
      for (const keyword of Object.keys(this.keywordsOf(symbol))) delete told[keyword];
    this.parse(property, told, others);
    // In the order in which they are written: a comment stands before the type.
    const whole = { ...told, ...meant, ...told };
    const definition = isCopied || this.checker.isArrayLikeType(type) ? whole : withoutForeign(whole);
    return others.nullable ? { anyOf: [definition, { type: 'null' }] } : definition;
  }

  private keywordsOf(symbol: ts.Symbol | undefined): Definition {
    return symbol && hasOwnDocs(symbol) ? this.docs.of(symbol).keywords : {};
  }

  /** A doc comment that leaves nothing for the type to say. */
  saysType(symbol: ts.Symbol | undefined): boolean {
    const keywords = this.keywordsOf(symbol);
    return Object.hasOwn(keywords, 'type') || Object.hasOwn(keywords, 'ignore');
  }
}

/** `Readonly<T>` has T's own values. So has `Mutable<T>`, as typescript-json-schema has it. */
export function unwrap(type: ts.Type): ts.Type {
  const { aliasSymbol, aliasTypeArguments } = type;
  const name = aliasSymbol?.escapedName;
  return (name === 'Readonly' || name === 'Mutable') && aliasTypeArguments?.[0]
    ? unwrap(aliasTypeArguments[0])
    : type;
}

/** Bytes of JSON of a union or a tuple that is written out where it is used. */
const SHORT = 200;

/** Lists and short choices are written out wherever they are used; objects and enumerations with a name are not. */
function isShort(type: ts.Type, definition: Definition): boolean {
  if (type.flags & ts.TypeFlags.EnumLike) return false;
  const isList = definition.type === 'array';
  if (!isList && !type.isUnion()) return false;
  return JSON.stringify(definition).length <= SHORT;
}

/** Whether a property has decorators, whose rules concern its values. */
export function hasDecorators({ valueDeclaration }: ts.Symbol): boolean {
  return (
    !!valueDeclaration &&
    ts.canHaveDecorators(valueDeclaration) &&
    !!ts.getDecorators(valueDeclaration)?.length
  );
}
