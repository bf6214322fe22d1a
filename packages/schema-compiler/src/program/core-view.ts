import { readFileSync } from 'node:fs';
import { ts } from 'typescript-json-schema';
import { CORE, type StandIn } from './core-stand-in.js';

const REEXPORT = /export (type )?\{([^}]*)\} from '([^']+)';/g;

/**
 * The index of `@toolwright/core`, reduced to the exports that a program needs. Each export brings in the
 * files that declare it and everything that these import, and most projects need few exports.
 */
export class CoreView {
  /** The name of each export, with the lines of the index for it. */
  private readonly lines = new Map<string, string>();
  private readonly asked = new Set<string>();

  private constructor(
    readonly path: string,
    private readonly rest: string,
    exports: Iterable<[name: string, line: string]>,
  ) {
    this.lines = new Map(exports);
  }

  /** @returns undefined if core does not resolve to an index of declarations */
  static of(importer: string, options: ts.CompilerOptions): CoreView | undefined {
    const { resolvedModule } = ts.resolveModuleName(CORE, importer, options, ts.sys);
    const path = resolvedModule?.resolvedFileName;
    if (!path?.endsWith('.d.ts')) return undefined;
    const text = readFileSync(path, 'utf8');
    const lines = [...text.matchAll(REEXPORT)].flatMap(([, type = '', list = '', from = '']) =>
      list
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
        .map((item): [string, string] => [
          item.split(/\s+/).at(-1)!,
          `export ${type}{ ${item} } from '${from}';`,
        ]),
    );
    return new CoreView(path, text.replace(REEXPORT, ''), lines);
  }

  /** @returns whether one of the words is an export that was not requested before */
  ask(words: Iterable<string>): boolean {
    const before = this.asked.size;
    for (const word of words) if (this.lines.has(word)) this.asked.add(word);
    return this.asked.size > before;
  }

  standIn(): StandIn {
    const lines = [...this.lines].filter(([name]) => this.asked.has(name)).map(([, line]) => line);
    return { path: this.path, text: [...lines, this.rest, 'export {};'].join('\n') };
  }
}
