import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RecordedFailure } from '@toolwright/console';

/**
 * A place at the end of a line of a stack, or before what is said of it: `/app/dist/a.js:3:7`, also behind `file://`, and
 * `/app/dist/a.js:3:7: TW_…: …`. Node.js writes `{` behind it if properties of the error follow.
 */
const PLACE = /((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()\n]*?):(\d+):(\d+)(?=\)?(?: \{)?$|: )/gm;

/** The lines of the source that are shown before and after the place. */
const AROUND = 2;

/**
 * Finds the places of sources for those of compiled files. The maps of the last compilation are in memory: a project need
 * not write them.
 */
export class SourceStacks {
  /** The texts of the last compilation. Most of them are never needed, so each is parsed at its first use. */
  readonly #texts = new Map<string, string>();
  readonly #maps = new Map<string, SourceMap | undefined>();

  /** @param directory the folder of the project */
  constructor(private readonly directory: string) {}

  /** @param maps the text of each map, by the absolute path of the compiled file */
  take(maps: Iterable<readonly [module: string, text: string]>): void {
    for (const [module, text] of maps) {
      this.#texts.set(resolve(module), text);
      this.#maps.delete(resolve(module));
    }
  }

  /** A text with stacks, in which places are those of the sources, relative to the project. */
  inSources(text: string): string {
    return text.replace(PLACE, (whole, path: string, line: string, column: string) => {
      const place = this.#sourceOf(pathOf(path), Number(line), Number(column));
      return place ? `${this.#short(place.file)}:${place.line}:${place.column}` : whole;
    });
  }

  /** An error of the app, for the person who writes it. */
  describe(reference: string, text: string): RecordedFailure {
    const inSources = this.inSources(text);
    for (const [, path, line, column] of text.matchAll(PLACE)) {
      const place = this.#sourceOf(pathOf(path!), Number(line), Number(column));
      if (!place || !this.#isOwn(place.file)) continue;
      const excerpt = excerptOf(place.file, place.line);
      const location = `${this.#short(place.file)}:${place.line}:${place.column}`;
      return { reference, text: inSources, location, ...(excerpt && { excerpt }) };
    }
    return { reference, text: inSources };
  }

  #sourceOf(file: string, line: number, column: number): Place {
    const map = this.#mapOf(file);
    const entry = map?.findEntry(line - 1, column - 1);
    if (!entry || !('originalSource' in entry)) return { file, line, column };
    return {
      file: resolve(dirname(file), map!.payload.sourceRoot ?? '', pathOf(entry.originalSource)),
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
    };
  }

  /** The map of the compilation, or that beside a file of another package of the workspace. */
  #mapOf(file: string): SourceMap | undefined {
    if (!this.#maps.has(file)) {
      const text = this.#texts.get(file) ?? (/\.[cm]?js$/.test(file) ? textBeside(file) : undefined);
      this.#maps.set(file, text === undefined ? undefined : parse(text));
    }
    return this.#maps.get(file);
  }

  #isOwn(file: string): boolean {
    return !/[\\/]node_modules[\\/]/.test(file) && this.#short(file) !== file;
  }

  #short(file: string): string {
    const way = relative(this.directory, file);
    return way.startsWith('..') || isAbsolute(way) ? file : way.split(sep).join('/');
  }
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

function pathOf(path: string): string {
  return path.startsWith('file://') ? fileURLToPath(path) : path;
}

function parse(text: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(text) as SourceMapPayload);
  } catch {
    return undefined;
  }
}

function textBeside(file: string): string | undefined {
  try {
    return readFileSync(`${file}.map`, 'utf8');
  } catch {
    return undefined;
  }
}

function excerptOf(file: string, line: number): RecordedFailure['excerpt'] {
  try {
    const lines = readFileSync(file, 'utf8').split(/\r?\n/);
    const from = Math.max(1, line - AROUND);
    return lines.slice(from - 1, line + AROUND).map((text, index) => ({ number: from + index, text }));
  } catch {
    return undefined;
  }
}
