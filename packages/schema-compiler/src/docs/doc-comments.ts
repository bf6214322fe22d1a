import type { ts } from 'typescript-json-schema';
import type { Reporter } from '../diagnostics/reporter.js';
import { readDocKeywords, type DocKeywords } from './read-doc-keywords.js';

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
}
