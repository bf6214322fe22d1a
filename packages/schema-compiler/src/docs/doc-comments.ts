import { type Definition, ts } from '../generator/tjs-adapter.js';
import type { Reporter } from '../diagnostics/reporter.js';
import { keptAlias } from '../program/kept-aliases.js';
import { isForeign } from '../types/unsendable.js';
import { isWrapped, writtenType } from './accessed-members.js';
import { formatProblem, isAlmostFormat, typesOf, ineffectiveTags } from './ineffective-tags.js';
import { NOTHING_SAID, inherit, sayBoth, wordsOf } from './inherit-docs.js';
import { looseTag, looseTags } from './loose-tags.js';
import { membersBehind, partsOfMember } from './member-sources.js';
import { tagsLostInConstructor } from './read-method-docs.js';
import { type DocKeywords, readComments, readDocKeywords } from './read-doc-keywords.js';
import { meaningOf } from '../types/members.js';

/**
 * Reads what doc comments say about schemas. Each comment is read once per project. Its problems are reported
 * for each tool that uses it.
 */
export class DocComments {
  private readonly whole = new Map<ts.Symbol, DocKeywords>();

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly reporter: Reporter,
  ) {}

  /** What is said about a symbol, also by the members that it takes the place of. */
  of(symbol: ts.Symbol): DocKeywords {
    const docs = this.said(symbol);
    for (const { code, detail, node } of docs.problems) {
      this.reporter.at(symbol.valueDeclaration ?? symbol.declarations?.[0], () =>
        this.reporter.report(code, detail, node),
      );
    }
    return docs;
  }

  /** The same, without a report of its problems. */
  said(symbol: ts.Symbol): DocKeywords {
    return this.whole.get(symbol) ?? this.join(symbol);
  }

  private join(symbol: ts.Symbol): DocKeywords {
    // A class that extends itself is an error of the source.
    this.whole.set(symbol, NOTHING_SAID);
    const parts = partsOfMember(symbol, this.checker);
    const docs =
      parts.length > 0
        ? parts.map((part) => this.said(part)).reduce(sayBoth)
        : membersBehind(symbol, this.checker).reduce(
            (said, behind) => inherit(said, this.saidWithType(behind), this.isAlike(symbol, behind)),
            this.readOnce(symbol),
          );
    if (isWrapped(symbol)) docs.keywords = wordsOf(docs.keywords);
    if (this.isOfSecret(symbol)) docs.keywords['x-sensitive'] = true;
    this.whole.set(symbol, docs);
    return docs;
  }

  /** What is said about a member and about the alias that is its type: whoever takes its place may name no alias. */
  private saidWithType(member: ts.Symbol): DocKeywords {
    const node = writtenType(member)?.node;
    const named = node && ts.isTypeReferenceNode(node) ? meaningOf(node.typeName, this.checker) : undefined;
    const alias = named && named.flags & ts.SymbolFlags.TypeAlias ? [named] : [];
    const { chain = alias } = keptAlias(this.checker.getTypeOfSymbol(member)) ?? {};
    return chain
      .filter(hasOwnDocs)
      .reduce((said, alias) => inherit(said, this.said(alias), true), this.said(member));
  }

  /** The keywords at a declaration without a name, such as an index signature. */
  at(declaration: ts.Declaration | undefined): Definition {
    if (!declaration || isForeign({ valueDeclaration: declaration } as ts.Symbol)) return {};
    const { keywords, problems } = readComments([declaration]);
    for (const { code, detail } of problems) this.reporter.report(code, detail, declaration);
    return keywords;
  }

  /** Whether a class or interface extends one that is marked as sensitive. */
  private isOfSecret({ flags, declarations = [] }: ts.Symbol): boolean {
    if (!(flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) return false;
    return declarations
      .filter((each) => ts.isClassLike(each) || ts.isInterfaceDeclaration(each))
      .flatMap(({ heritageClauses = [] }) => heritageClauses.flatMap(({ types }) => [...types]))
      .map((base) => this.checker.getTypeAtLocation(base))
      .flatMap((type) => (type.isIntersection() ? type.types : [type]))
      .some((type) => {
        const symbol = type.getSymbol();
        return !!symbol && hasOwnDocs(symbol) && this.said(symbol).keywords['x-sensitive'] === true;
      });
  }

  private isAlike(one: ts.Symbol, other: ts.Symbol): boolean {
    const [a, b] = [one, other].map((symbol) =>
      this.checker.getNonNullableType(this.checker.getTypeOfSymbol(symbol)),
    );
    return a === b || (!!a && !!b && !!(keptAlias(a) ?? keptAlias(b)) && a.flags === b.flags);
  }

  /**
   * Reports tags that have no effect on the schema that they belong to.
   *
   * @param resolve returns the definition that a reference refers to
   */
  check(symbol: ts.Symbol, schema: Definition, resolve: (schema: Definition) => Definition): void {
    if (isForeign(symbol)) return;
    const { keywords, items = {} } = this.of(symbol);
    const ofItems = ineffectiveTags(items, (resolve(schema).items ?? {}) as Definition, resolve);
    const unfit = [
      ...ineffectiveTags(keywords, schema, resolve),
      ...ofItems.map(({ tag, types }) => ({ tag: `items.${tag}`, types })),
    ];
    this.reporter.at(symbol.valueDeclaration ?? symbol.declarations?.[0], () => {
      for (const { tag, types } of unfit) {
        const detail = `@${tag} does nothing on a value of the type ${types.join(' or ')}.`;
        this.reporter.report('TW_SCHEMA_TAG_TYPE', detail);
      }
      const { format } = keywords;
      const problem = typeof format === 'string' && formatProblem(format, typesOf(schema, resolve));
      const code = isAlmostFormat(String(format)) ? 'TW_SCHEMA_LOST_RULE' : 'TW_SCHEMA_FORMAT';
      if (problem) this.reporter.report(code, problem);
    });
  }

  /** The project cannot change the comments of another package, so their problems are not reported. */
  private readOnce(symbol: ts.Symbol): DocKeywords {
    const read = readDocKeywords(symbol);
    for (const each of symbol.declarations ?? [])
      if (HOLDERS.some((is) => is(each)))
        for (const { name, node } of looseTags(each))
          read.problems.push({ code: 'TW_SCHEMA_LOST_RULE', detail: looseTag(name), node });
      else if (ts.isParameter(each) && ts.isParameterPropertyDeclaration(each, each.parent))
        for (const detail of tagsLostInConstructor(each))
          read.problems.push({ code: 'TW_SCHEMA_LOST_RULE', detail });
    if (isInstalled(symbol)) return foreignDocs(read, symbol);
    return isForeign(symbol) ? { ...read, problems: [] } : read;
  }
}

/** Declarations with members. */
const HOLDERS = [
  ts.isClassLike,
  ts.isInterfaceDeclaration,
  ts.isTypeLiteralNode,
  ts.isTypeAliasDeclaration,
] as const;

/** Tags to which other tools give another meaning: JSDoc's `@type {string}`, `@enum`, `@id` of a ticket. */
const AMBIGUOUS = new Set([
  'type', 'enum', 'items', 'contains', 'additionalProperties', '$ref', 'id', '$id', '$comment',
]); // prettier-ignore

/** Whether an installed package declares a symbol. Its doc comments were not written for this compiler. */
function isInstalled(symbol: ts.Symbol): boolean {
  const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
  return /[\\/]node_modules[\\/]/.test(declaration?.getSourceFile().fileName ?? '');
}

/**
 * The part of another package's comment that is used: its text, and the tags that can only mean a constraint.
 */
function foreignDocs(docs: DocKeywords, symbol: ts.Symbol): DocKeywords {
  const isValue = !!(symbol.flags & (ts.SymbolFlags.Property | ts.SymbolFlags.Variable));
  const kept = Object.entries(docs.keywords).filter(
    ([name]) => !AMBIGUOUS.has(name) && (isValue || (name !== 'default' && name !== 'examples')),
  );
  return { keywords: Object.fromEntries(kept), raw: docs.raw, nullable: false, problems: [] };
}

/**
 * The comments of the standard library, of core's `integer`, and of a package's generic types (`z.input<…>`)
 * explain how to use the type, not what the value means.
 */
export function hasOwnDocs(symbol: ts.Symbol): boolean {
  const declaration = symbol.declarations?.[0];
  // A mapped type that renames properties leaves them without a declaration.
  if (!declaration) return true;
  if (declaration.getSourceFile().hasNoDefaultLib) return false;
  if (symbol.name === 'integer') return false;
  if (!ts.isTypeAliasDeclaration(declaration)) return true;
  return !declaration.typeParameters || !declaration.getSourceFile().fileName.includes('/node_modules/');
}

/** For a string, `@default 10` and `@example 10` mean "10". */
export function coerceToText(definition: Definition, { raw }: DocKeywords): void {
  if (definition.type !== 'string') return;
  if (raw.default !== undefined && ['number', 'boolean'].includes(typeof definition.default))
    definition.default = raw.default;
  if (raw.examples && Array.isArray(definition.examples)) {
    definition.examples = definition.examples.map((value) =>
      ['number', 'boolean'].includes(typeof value)
        ? (raw.examples!.find((text) => JSON.parse(text) === value) ?? value)
        : value,
    );
  }
}
