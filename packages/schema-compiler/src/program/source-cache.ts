import { type Dirent, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { ts } from '../generator/tjs-adapter.js';
import { docsParsedWith } from '../docs/postponed-docs.js';
import type { StandIn } from './core-stand-in.js';

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
    const file = ts.createSourceFile(fileName, text, {
      ...options,
      jsDocParsingMode: docsParsedWith(fileName),
    });
    this.entries.set(fileName, file);
    return file;
  }
}

type Kind = 'file' | 'folder' | 'link';

/** A folder that can be entered but not listed. Each of its items has to be looked up separately. */
const UNLISTED = 'unlisted';

type Listing = ReadonlyMap<string, Kind> | typeof UNLISTED | undefined;

/**
 * Knows which files and folders exist, for one program. Resolving the imports of a small project looks up
 * some five thousand places, and nearly none of them exist. One listing of a folder answers all questions
 * about its items.
 */
class FolderView {
  private readonly listings = new Map<string, Listing>();

  hasFile(path: string): boolean {
    return this.has(path, 'file') ?? ts.sys.fileExists(path);
  }

  hasFolder(path: string): boolean {
    return this.has(path, 'folder') ?? ts.sys.directoryExists(path);
  }

  /** @returns undefined if only the file system itself can answer */
  private has(path: string, kind: Kind): boolean | undefined {
    const folder = posix.dirname(path);
    if (folder === path || !posix.isAbsolute(path)) return undefined;
    const listing = this.list(folder);
    if (listing === UNLISTED) return undefined;
    const found = listing?.get(spelling(posix.basename(path)));
    return found === 'link' ? undefined : found === kind;
  }

  private list(folder: string): Listing {
    if (this.listings.has(folder)) return this.listings.get(folder);
    // If its parent does not list a folder, the folder does not exist and is not read.
    const listing = this.has(folder, 'folder') === false ? undefined : read(folder);
    this.listings.set(folder, listing);
    return listing;
  }
}

function read(folder: string): Listing {
  try {
    return new Map(
      readdirSync(folder, { withFileTypes: true }).map((item) => [spelling(item.name), kindOf(item)]),
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : UNLISTED;
  }
}

function kindOf(item: Dirent): Kind {
  if (item.isDirectory()) return 'folder';
  return item.isFile() ? 'file' : 'link';
}

/** The spelling by which the file system compares names. */
const spelling = (name: string) => (ts.sys.useCaseSensitiveFileNames ? name : name.toLowerCase());
