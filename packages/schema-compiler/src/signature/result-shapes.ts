import { ts } from '../generator/tjs-adapter.js';

/** A result of the protocol's own, named after the operation that answers with it. */
export type ProtocolResult = 'tool' | 'prompt' | 'resource';

type Fields = Readonly<Record<string, (type: ts.Type) => boolean>>;

const COMMON = ['type', 'annotations', '_meta'];
const RESULT_EXTRAS = ['_meta', 'resultType'];

/**
 * Distinguishes results of the protocol from data by their form. This is for types without a known name:
 * inferred results, or types that the author wrote. Data with a property `content` usually has other
 * properties too, or items that are not content blocks of the specification.
 */
export class ResultShapes {
  constructor(private readonly checker: ts.TypeChecker) {}

  /** Whether a type has the form of the result that operations of a kind may answer with. */
  fits(type: ts.Type, result: ProtocolResult): boolean {
    const members = this.membersOf(type);
    if (!members) return false;
    switch (result) {
      case 'tool':
        return this.isToolResult(members);
      case 'prompt':
        return (
          isOnly(members, ['messages', 'description', ...RESULT_EXTRAS]) &&
          this.holdsOnly(members.get('messages'), (item) => this.isMessage(item))
        );
      case 'resource':
        return (
          isOnly(members, ['contents', 'ttlMs', 'cacheScope', ...RESULT_EXTRAS]) &&
          this.holdsOnly(members.get('contents'), (item) => this.isContents(item))
        );
    }
  }

  private isToolResult(members: Members): boolean {
    if (!isOnly(members, ['content', 'structuredContent', 'isError', ...RESULT_EXTRAS])) return false;
    const content = members.get('content');
    if (this.holdsOnly(content, (item) => this.isBlock(item))) return true;
    // An empty list says nothing. Other properties beside it may.
    const says = members.has('isError') || members.has('structuredContent');
    return says && this.holdsOnly(content, (item) => !!(item.flags & EMPTY), { mayBeEmpty: true });
  }

  private isMessage(type: ts.Type): boolean {
    const members = this.membersOf(type);
    if (!members || !isOnly(members, ['role', 'content', '_meta'])) return false;
    const roles = this.literalsOf(members.get('role'));
    const content = members.get('content');
    return (
      roles !== undefined &&
      roles.every((role) => role === 'user' || role === 'assistant') &&
      content !== undefined &&
      this.isBlock(this.typeOf(content))
    );
  }

  private isContents(type: ts.Type): boolean {
    if (type.isUnion()) return type.types.every((part) => this.isContents(part));
    const members = this.membersOf(type);
    const isText = (name: string) => this.isText(members?.get(name));
    return (
      members !== undefined &&
      isOnly(members, ['uri', 'mimeType', 'text', 'blob', '_meta']) &&
      isText('uri') &&
      (isText('text') || isText('blob'))
    );
  }

  private isBlock(type: ts.Type): boolean {
    if (type.isUnion()) return type.types.every((part) => this.isBlock(part));
    const members = this.membersOf(type);
    const kinds = members && this.literalsOf(members.get('type'));
    if (!members || kinds?.length !== 1) return false;
    const fields = this.fieldsOf(kinds[0]!);
    if (!fields) return false;
    return (
      isOnly(members, [...COMMON, ...Object.keys(fields), ...(optionalFields[kinds[0]!] ?? [])]) &&
      Object.entries(fields).every(([name, fitsField]) => {
        const member = members.get(name);
        return member !== undefined && fitsField(this.typeOf(member));
      })
    );
  }

  private fieldsOf(kind: string): Fields | undefined {
    const text = (type: ts.Type) => isTextType(type);
    const object = (type: ts.Type): boolean =>
      type.isUnion()
        ? type.types.every(object)
        : !!(type.flags & ts.TypeFlags.Any) || this.membersOf(type) !== undefined;
    const fields: Record<string, Fields> = {
      text: { text },
      image: { data: text, mimeType: text },
      audio: { data: text, mimeType: text },
      resource_link: { uri: text, name: text },
      resource: { resource: object },
    };
    return Object.hasOwn(fields, kind) ? fields[kind] : undefined;
  }

  /** Whether a property is a list of which all items pass. */
  private holdsOnly(
    property: ts.Symbol | undefined,
    passes: (item: ts.Type) => boolean,
    { mayBeEmpty = false } = {},
  ): boolean {
    if (!property) return false;
    const type = this.checker.getNonNullableType(this.typeOf(property));
    if (!this.checker.isArrayType(type) && !this.checker.isTupleType(type)) return false;
    const items = this.checker.getTypeArguments(type as ts.TypeReference);
    return (mayBeEmpty || items.length > 0) && items.every(passes);
  }

  /**
   * The properties by name, without the properties that can only be undefined. They come from the other members of a
   * union.
   */
  private membersOf(type: ts.Type): Members | undefined {
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return undefined;
    if (this.checker.isArrayLikeType(type) || type.getCallSignatures().length > 0) return undefined;
    const properties = this.checker
      .getPropertiesOfType(type)
      .filter((property) => !(this.typeOf(property).flags & ts.TypeFlags.Undefined));
    return new Map(properties.map((property) => [property.getName(), property]));
  }

  /**
   * The literal values of a property. TypeScript widens the type of an inferred property, so then the literal
   * in the source is read.
   */
  private literalsOf(property: ts.Symbol | undefined): readonly string[] | undefined {
    if (!property) return undefined;
    const type = this.typeOf(property);
    const parts = type.isUnion() ? type.types : [type];
    const literals = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
    if (literals.length === parts.length) return literals;
    const declaration = property.valueDeclaration;
    const written =
      declaration && ts.isPropertyAssignment(declaration) && ts.isStringLiteralLike(declaration.initializer);
    return written ? [(declaration.initializer as ts.StringLiteralLike).text] : undefined;
  }

  private isText(property: ts.Symbol | undefined): boolean {
    return property !== undefined && isTextType(this.typeOf(property));
  }

  private typeOf(property: ts.Symbol): ts.Type {
    return this.checker.getTypeOfSymbol(property);
  }
}

type Members = ReadonlyMap<string, ts.Symbol>;

const EMPTY = ts.TypeFlags.Never | ts.TypeFlags.Any;

const optionalFields: Record<string, string[]> = {
  resource_link: ['title', 'description', 'mimeType', 'size', 'icons'],
};

function isOnly(members: Members, known: readonly string[]): boolean {
  return [...members.keys()].every((name) => known.includes(name));
}

function isTextType(type: ts.Type): boolean {
  if (type.isUnion())
    return type.types.every((part) => !!(part.flags & ts.TypeFlags.Undefined) || isTextType(part));
  return !!(type.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.Any));
}
