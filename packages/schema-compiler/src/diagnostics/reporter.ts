import { relative, sep } from 'node:path';
import type { SourceLocation } from '@toolwright/manifest';
import type { ts } from '../generator/tjs-adapter.js';
import type { SchemaErrorCode } from './catalogue.js';
import { makeDiagnostic, type SchemaDiagnostic } from './diagnostic.js';
import { NotedProblems } from './noted-problems.js';

/** One problem at one place, and every path by which the current type leads to it. */
interface Found {
  diagnostic: SchemaDiagnostic;
  paths: string[];
}

/**
 * Collects the diagnostics of the current tool. The same problem at the same place is reported once. A
 * problem of a property is reported with its path from the parameter, because nobody would find it in the
 * typings of a large package.
 */
export class Reporter {
  private found: Found[] = [];
  private readonly places: ts.Node[] = [];
  private readonly path: string[] = [];
  private silence = 0;
  private isGiven = false;
  private readonly notes: NotedProblems[] = [];

  constructor(private readonly root: string) {}

  /** Runs `work`, and reports its problems at `node`. */
  at<T>(node: ts.Node | undefined, work: () => T): T {
    if (!node || !this.isOwn(node)) return work();
    this.places.push(node);
    try {
      return work();
    } finally {
      this.places.pop();
    }
  }

  /**
   * Runs `work` with one more part of the path: the name of a property, `[]` for items, `*` for any key.
   *
   * @param isGiven another package declares what is there. The project cannot change it, so what it
   * has chosen is not reported
   */
  within<T>(part: string, work: () => T, isGiven = this.isGiven): T {
    const outer = this.isGiven;
    this.isGiven = isGiven;
    this.path.push(part);
    try {
      return work();
    } finally {
      this.path.pop();
      this.isGiven = outer;
    }
  }

  /** Runs `work` on something that was checked before, without reporting its problems again. */
  muted<T>(work: () => T): T {
    this.silence++;
    try {
      return work();
    } finally {
      this.silence--;
    }
  }

  /** Runs `work`, and forgets its problems. What it stored for other tools stays. */
  discarding<T>(work: () => T): T {
    const kept = this.found;
    this.found = [];
    try {
      return work();
    } finally {
      this.found = kept;
    }
  }

  /** Runs `work` on a type that several tools may use. Its problems are stored, and `retell` reports them. */
  note<T>(notes: NotedProblems, work: () => T): T {
    const outer = this.isGiven;
    // `retell` decides for each use whether another package chose the type.
    this.isGiven = false;
    this.notes.push(notes);
    try {
      return work();
    } finally {
      this.notes.pop();
      this.isGiven = outer;
    }
  }

  /** Starts the stored problems of a type whose schema is being created. */
  openNotes(): NotedProblems {
    return new NotedProblems(this.places.length, this.path.length);
  }

  /** Reports the stored problems of a type at the place that uses it. */
  retell(notes: NotedProblems): void {
    const outer = this.notes.at(-1);
    const { isGiven } = this;
    if (outer)
      return outer.use({ notes, isGiven, path: this.pathWithin(outer), node: this.placeWithin(outer) });
    const here = [...this.path];
    notes.tell({ path: here, node: this.places.at(-1), isGiven }, ({ code, detail, path, node }) => {
      this.path.splice(0, Infinity, ...path);
      this.report(code, detail, node);
    });
    this.path.splice(0, Infinity, ...here);
  }

  /** @param isChoice whoever chose the type can mend it, so that it is not reported where another package did */
  report(code: SchemaErrorCode, detail: string, at?: ts.Node, isChoice = code === 'TW_SCHEMA_UNTYPED'): void {
    if (this.silence > 0 || (this.isGiven && isChoice)) return;
    const notes = this.notes.at(-1);
    if (notes) {
      const inside = at ?? this.placeWithin(notes);
      return notes.add({
        code,
        detail,
        isChoice,
        path: this.pathWithin(notes),
        ...(inside && { node: inside }),
      });
    }
    const node = at ?? this.places.at(-1);
    if (!node) return;
    const diagnostic = makeDiagnostic(code, this.locate(node), detail);
    const path = this.path.join('.').replaceAll('.[]', '[]');
    const same = this.found.find(
      ({ diagnostic: other }) =>
        other.code === code &&
        other.message === diagnostic.message &&
        other.line === diagnostic.line &&
        other.column === diagnostic.column &&
        other.file === diagnostic.file,
    );
    if (!same) this.found.push({ diagnostic, paths: [path] });
    else if (!same.paths.includes(path)) same.paths.push(path);
  }

  /** Returns the diagnostics since the last call, and forgets them. */
  take(): SchemaDiagnostic[] {
    const found = this.found;
    this.found = [];
    return found.map(({ diagnostic, paths }) => ({
      ...diagnostic,
      message: withPaths(diagnostic.message, paths),
    }));
  }

  locate(node: ts.Node): SourceLocation {
    const file = node.getSourceFile();
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
    return { file: this.relativePath(file.fileName), line: line + 1, column: character + 1 };
  }

  relativePath(fileName: string): string {
    return relative(this.root, fileName).split(sep).join('/');
  }

  /** The innermost place that belongs to the type itself, not to its users. */
  private placeWithin({ depth }: NotedProblems): ts.Node | undefined {
    return this.places.length > depth ? this.places.at(-1) : undefined;
  }

  private pathWithin({ pathDepth }: NotedProblems): string[] {
    return this.path.slice(pathDepth);
  }

  private isOwn(node: ts.Node): boolean {
    const file = node.getSourceFile();
    return file !== undefined && !file.isDeclarationFile;
  }
}

function withPaths(message: string, paths: readonly string[]): string {
  const [first, ...others] = paths.filter((path) => path !== '');
  if (first === undefined) return message;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return `${first}${more}: ${message}`;
}
