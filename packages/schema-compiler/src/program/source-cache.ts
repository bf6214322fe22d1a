import { ts } from 'typescript-json-schema';
import { docsParsedWith } from '../docs/postponed-docs.js';
import type { StandIn } from './core-stand-in.js';
import { FolderView } from './folder-view.js';
import { keepAliases } from './keep-aliases.js';

/**
 * Parsed source files by path and content, for the lifetime of a process. A watch session parses a file again
 * only if its text changed. Declaration files of the standard library and of node_modules are read once.
 */
export class SourceCache {
  private readonly entries = new Map<string, ts.SourceFile>();

  createHost(options: ts.CompilerOptions, standIn?: StandIn): ts.CompilerHost {
    const host = ts.createCompilerHost(options, true);
    const folders = new FolderView();
    return {
      ...host,
      fileExists: (fileName) => fileName === standIn?.path || folders.hasFile(fileName),
      directoryExists: (folder) => folders.hasFolder(folder),
      readFile: (fileName) => (fileName === standIn?.path ? standIn.text : host.readFile(fileName)),
      getSourceFile: (fileName, target) => this.read(fileName, target, standIn),
    };
  }

  /** Forgets a file, so that the next program reads it again. */
  invalidate(fileName: string): void {
    this.entries.delete(fileName);
  }

  private read(
    fileName: string,
    target: ts.ScriptTarget | ts.CreateSourceFileOptions,
    standIn: StandIn | undefined,
  ): ts.SourceFile | undefined {
    const known = this.entries.get(fileName);
    if (known) return known;
    const text = fileName === standIn?.path ? standIn.text : ts.sys.readFile(fileName);
    if (text === undefined) return undefined;
    const options = typeof target === 'object' ? target : { languageVersion: target };
    const file = ts.createSourceFile(fileName, keepAliases(text), {
      ...options,
      jsDocParsingMode: docsParsedWith(fileName),
    });
    this.entries.set(fileName, file);
    return file;
  }
}
