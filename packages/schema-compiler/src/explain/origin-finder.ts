import { type JsonSchema, constrainSchema, isSensitive } from '@toolwright/json';
import type { SourceLocation } from '@toolwright/manifest';
import { ts } from '../generator/tjs-adapter.js';
import type { Reporter } from '../diagnostics/reporter.js';
import { type PackageSymbols, findCoreDecorators } from '../discover/package-symbols.js';
import { DocComments } from '../docs/doc-comments.js';
import { readSchemaDecorator } from '../signature/given-schemas.js';
import { readPropertyDecorators } from '../validators/read-property-decorators.js';
import { DecoratorScanner } from '../validators/scan-decorator.js';

/** What a schema was created from: a type, and the parameter or property that has this type. */
export interface Subject {
  type: ts.Type;
  symbol?: ts.Symbol;
  /** An initialiser at another place: in a destructuring pattern. */
  initialiser?: ts.Expression;
}

/** Keywords that only connect other schemas. */
const STRUCTURE = new Set([
  'properties',
  'required',
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  '$defs',
  '$ref',
]);

/** Keywords that reveal nothing about a sensitive value. */
const HARMLESS = new Set(['type', 'description', 'title', 'format', 'writeOnly', 'minLength', 'maxLength']);

type Found = Pick<KeywordOrigin, 'origin'> & { node?: ts.Node };

/**
 * Finds out for each keyword of a schema which part of the source it comes from. It asks the parts in the
 * order in which the compiler prefers them: `@Schema`, class-validator, doc tags, initialisers, the type.
 */
export class OriginFinder {
  readonly scanner: DecoratorScanner;
  private readonly docs: DocComments;

  constructor(
    readonly checker: ts.TypeChecker,
    readonly symbols: PackageSymbols,
    private readonly reporter: Reporter,
  ) {
    this.scanner = new DecoratorScanner(checker, symbols);
    this.docs = new DocComments(checker, reporter);
  }

  /** Returns everything below one schema, depth first. It does not follow references. */
  find(schema: JsonSchema, subject: Subject, path: string): KeywordOrigin[] {
    const own = Object.keys(schema)
      .filter((keyword) => !STRUCTURE.has(keyword))
      .map((keyword) => this.describe(keyword, schema, subject, path));
    const type = this.checker.getNonNullableType(subject.type);
    const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
      const symbol = this.checker.getPropertyOfType(type, name);
      return symbol ? this.find(member, this.memberOf(symbol, subject), `${path}/properties/${name}`) : [];
    });
    const item =
      typeof schema.items === 'object'
        ? this.checker.getIndexTypeOfType(type, ts.IndexKind.Number)
        : undefined;
    const items = item ? this.find(schema.items as JsonSchema, { type: item }, `${path}/items`) : [];
    return [...own, ...members, ...items];
  }

  private memberOf(symbol: ts.Symbol, { symbol: holder }: Subject): Subject {
    const place = symbol.valueDeclaration ?? holder?.valueDeclaration;
    const type = place
      ? this.checker.getTypeOfSymbolAtLocation(symbol, place)
      : this.checker.getTypeOfSymbol(symbol);
    return { symbol, type };
  }

  private describe(keyword: string, schema: JsonSchema, subject: Subject, path: string): KeywordOrigin {
    const found = this.whoSaid(keyword, schema, subject);
    const node = found.node ?? subject.symbol?.valueDeclaration;
    const isOwn = node && !node.getSourceFile().isDeclarationFile;
    // The source may contain a default, and the type and the decorators may list the possible values.
    const isSaid = !isSensitive(schema) || HARMLESS.has(keyword);
    return {
      path,
      keyword,
      value: isSaid ? schema[keyword] : '[sensitive]',
      origin:
        isSaid && !(isSensitive(schema) && found.origin.startsWith('type ')) ? found.origin : '@sensitive',
      ...(isOwn && { location: this.reporter.locate(node) }),
    };
  }

  private whoSaid(keyword: string, schema: JsonSchema, subject: Subject): Found {
    const { symbol } = subject;
    const said =
      symbol &&
      (this.inSchemaDecorator(keyword, symbol) ??
        this.inValidators(keyword, schema, symbol) ??
        this.inDocs(keyword, symbol));
    return said ?? this.inInitialiser(keyword, subject) ?? this.inType(subject);
  }

  private inSchemaDecorator(keyword: string, { valueDeclaration }: ts.Symbol): Found | undefined {
    const decorators = valueDeclaration ? findCoreDecorators(valueDeclaration, this.symbols) : [];
    const given = readSchemaDecorator(decorators, this.checker, this.reporter);
    return given && Object.hasOwn(given.schema, keyword)
      ? { origin: '@Schema', node: given.node }
      : undefined;
  }

  private inValidators(keyword: string, schema: JsonSchema, symbol: ts.Symbol): Found | undefined {
    const { constraints } = readPropertyDecorators(symbol, this);
    // The type decides which keywords a decorator becomes. In the finished schema, a number may already be an
    // integer.
    const plain: JsonSchema =
      schema.type === undefined ? {} : { type: schema.type === 'integer' ? 'number' : schema.type };
    const constraint = constraints.find((each) => {
      const { schema: said } = constrainSchema(
        plain,
        { constraints: [{ ...each, each: false }] },
        (part) => part,
      );
      return said[keyword] !== undefined && said[keyword] !== plain[keyword];
    });
    return constraint && { origin: `@${constraint.written}(${constraint.arguments.map(show).join(', ')})` };
  }

  private inDocs(keyword: string, symbol: ts.Symbol): Found | undefined {
    const { keywords, items } = this.docs.said(symbol);
    if (keyword === 'description' && keywords.description) return { origin: 'doc comment' };
    if (Object.hasOwn(keywords, keyword)) return { origin: `@${keyword}` };
    return items && Object.hasOwn(items, keyword) ? { origin: `@items.${keyword}` } : undefined;
  }

  private inInitialiser(keyword: string, { symbol, initialiser }: Subject): Found | undefined {
    const declaration = symbol?.valueDeclaration as { initializer?: ts.Expression } | undefined;
    const node = initialiser ?? declaration?.initializer;
    return keyword === 'default' && node ? { origin: `= ${node.getText()}`, node } : undefined;
  }

  /** The type as written in the source, because an alias says more than the type that it names. */
  private inType({ type, symbol }: Subject): Found {
    const declaration = symbol?.valueDeclaration as { type?: ts.TypeNode } | undefined;
    return { origin: `type ${declaration?.type?.getText() ?? this.checker.typeToString(type)}` };
  }
}

const show = (value: unknown) => (value instanceof RegExp ? String(value) : JSON.stringify(value));

/** Where one keyword of a schema comes from. */
export interface KeywordOrigin {
  /**
   * The JSON pointer of the schema that contains the keyword: `/properties/limit`; empty for the whole
   * schema.
   */
  path: string;
  keyword: string;
  value: unknown;
  /**
   * As written in the source: `@minimum`, `@Length(1, 200)`, `= 10`, `@Schema`, `type string`, `doc comment`.
   */
  origin: string;
  location?: SourceLocation;
}
