import { ts } from 'typescript-json-schema';
import { keepIntegerAlias } from './integer-alias.js';

interface Entry {
  version: string;
  target: ts.ScriptTarget;
  file: ts.SourceFile;
}

/**
 * Parsed source files by path and content, for the life of a process: a watch session parses a file again only when
 * its text changed. Declaration files of the standard library and of node_modules are never looked at twice.
 */
export class SourceCache {
  private readonly entries = new Map<string, Entry>();

  createHost(options: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createCompilerHost(options, true);
    return {
      ...host,
      getSourceFile: (fileName, languageVersion) => this.read(fileName, languageVersion),
    };
  }

  /** Forgets a file, so that the next program reads it again. */
  invalidate(fileName: string): void {
    this.entries.delete(fileName);
  }

  private read(
    fileName: string,
    target: ts.ScriptTarget | ts.CreateSourceFileOptions,
  ): ts.SourceFile | undefined {
    const known = this.entries.get(fileName);
    if (known) return known.file;
    const text = ts.sys.readFile(fileName);
    if (text === undefined) return undefined;
    const file = ts.createSourceFile(fileName, keepIntegerAlias(text), target, true);
    this.entries.set(fileName, {
      version: '',
      target: typeof target === 'object' ? target.languageVersion : target,
      file,
    });
    return file;
  }
}
