import type { ts } from 'typescript-json-schema';
import type { Reporter } from '../diagnostics/reporter.js';
import type { Definition } from '../types/tjs-internals.js';
import { readDocKeywords, type DocKeywords } from './read-doc-keywords.js';
import { unfitTags } from './unfit-tags.js';

/** What doc comments say of schemas: each is read once per project, and its problems are told to every tool it serves. */
export class DocComments {
  private readonly read = new Map<ts.Symbol, DocKeywords>();

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly reporter: Reporter,
  ) {}

  of(symbol: ts.Symbol): DocKeywords {
    let docs = this.read.get(symbol);
    if (!docs) this.read.set(symbol, (docs = readDocKeywords(symbol, this.checker)));
    for (const { code, detail } of docs.problems) {
      this.reporter.at(symbol.valueDeclaration ?? symbol.declarations?.[0], () =>
        this.reporter.report(code, detail),
      );
    }
    return docs;
  }

  /** Tells of tags that the schema they stand at takes no notice of. @param resolve gives what a reference stands for */
  check(symbol: ts.Symbol, schema: Definition, resolve: (schema: Definition) => Definition): void {
    const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
    // Nobody here can mend the declarations of another package.
    if (declaration?.getSourceFile().isDeclarationFile) return;
    const { keywords, items = {} } = this.of(symbol);
    const ofItems = unfitTags(items, (resolve(schema).items ?? {}) as Definition, resolve);
    const unfit = [
      ...unfitTags(keywords, schema, resolve),
      ...ofItems.map(({ tag, types }) => ({ tag: `items.${tag}`, types })),
    ];
    for (const { tag, types } of unfit) {
      this.reporter.at(declaration, () =>
        this.reporter.report(
          'TW_SCHEMA_TAG_TYPE',
          `@${tag} says nothing of a value of type ${types.join(' or ')}.`,
        ),
      );
    }
  }
}
