import type { ts } from 'typescript-json-schema';
import type { Reporter } from '../diagnostics/reporter.js';
import type { Definition } from '../types/tjs-internals.js';
import { isForeign } from '../types/unsendable.js';
import { foreignDocs, isInstalled } from './foreign-docs.js';
import { formatFault } from './known-formats.js';
import { readDocKeywords, type DocKeywords } from './read-doc-keywords.js';
import { typesOf, unfitTags } from './unfit-tags.js';

/**
 * Reads what doc comments say about schemas. Each comment is read once per project. Its problems are reported
 * for each tool that uses it.
 */
export class DocComments {
  private readonly read = new Map<ts.Symbol, DocKeywords>();

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly reporter: Reporter,
  ) {}

  of(symbol: ts.Symbol): DocKeywords {
    const docs = this.read.get(symbol) ?? this.readOnce(symbol);
    for (const { code, detail } of docs.problems) {
      this.reporter.at(symbol.valueDeclaration ?? symbol.declarations?.[0], () =>
        this.reporter.report(code, detail),
      );
    }
    return docs;
  }

  /**
   * Reports tags that have no effect on the schema where they stand.
   *
   * @param resolve returns what a reference stands for
   */
  check(symbol: ts.Symbol, schema: Definition, resolve: (schema: Definition) => Definition): void {
    if (isForeign(symbol)) return;
    const { keywords, items = {} } = this.of(symbol);
    const ofItems = unfitTags(items, (resolve(schema).items ?? {}) as Definition, resolve);
    const unfit = [
      ...unfitTags(keywords, schema, resolve),
      ...ofItems.map(({ tag, types }) => ({ tag: `items.${tag}`, types })),
    ];
    this.reporter.at(symbol.valueDeclaration ?? symbol.declarations?.[0], () => {
      for (const { tag, types } of unfit) {
        const detail = `@${tag} does nothing on a value of the type ${types.join(' or ')}.`;
        this.reporter.report('TW_SCHEMA_TAG_TYPE', detail);
      }
      const fault =
        typeof keywords.format === 'string' && formatFault(keywords.format, typesOf(schema, resolve));
      if (fault) this.reporter.report('TW_SCHEMA_FORMAT', fault);
    });
  }

  /** The project cannot change the comments of another package, so their problems are not reported. */
  private readOnce(symbol: ts.Symbol): DocKeywords {
    const read = readDocKeywords(symbol, this.checker);
    const docs = isInstalled(symbol)
      ? foreignDocs(read, symbol)
      : isForeign(symbol)
        ? { ...read, problems: [] }
        : read;
    this.read.set(symbol, docs);
    return docs;
  }
}
