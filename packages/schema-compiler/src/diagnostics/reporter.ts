import { relative, sep } from 'node:path';
import type { SourceLocation } from '@toolwright/manifest';
import type { ts } from 'typescript-json-schema';
import type { SchemaErrorCode } from './catalogue.js';
import { makeDiagnostic, type SchemaDiagnostic } from './diagnostic.js';

/** Collects the diagnostics of the tool at hand; the same problem of the same place is told once. */
export class Reporter {
  private found: SchemaDiagnostic[] = [];
  private readonly places: ts.Node[] = [];

  constructor(private readonly root: string) {}

  /** Runs `work` with `node` as the place that problems are reported at. */
  at<T>(node: ts.Node | undefined, work: () => T): T {
    if (!node || !this.isOwn(node)) return work();
    this.places.push(node);
    try {
      return work();
    } finally {
      this.places.pop();
    }
  }

  report(code: SchemaErrorCode, detail: string, node = this.places.at(-1)): void {
    if (!node) return;
    const diagnostic = makeDiagnostic(code, this.locate(node), detail);
    const same = (other: SchemaDiagnostic) =>
      other.code === code &&
      other.message === diagnostic.message &&
      other.line === diagnostic.line &&
      other.column === diagnostic.column &&
      other.file === diagnostic.file;
    if (!this.found.some(same)) this.found.push(diagnostic);
  }

  /** Hands over what was collected since the last time. */
  take(): SchemaDiagnostic[] {
    const found = this.found;
    this.found = [];
    return found;
  }

  locate(node: ts.Node): SourceLocation {
    const file = node.getSourceFile();
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
    return { file: this.relativePath(file.fileName), line: line + 1, column: character + 1 };
  }

  relativePath(fileName: string): string {
    return relative(this.root, fileName).split(sep).join('/');
  }

  private isOwn(node: ts.Node): boolean {
    const file = node.getSourceFile();
    return file !== undefined && !file.isDeclarationFile;
  }
}
