import { readFileSync } from 'node:fs';
import { ts } from 'typescript-json-schema';
import { CORE, type StandIn } from './core-stand-in.js';

const REEXPORT = /export (type )?\{([^}]*)\} from '([^']+)';/g;

/**
 * The index of `@toolwright/core` with no more exports than a program asks for: each brings the files that declare it
 * and all that these import, and most projects need few of them.
 */
export class CoreView {
  /** The name of each export, with the index's lines for it. */
  private readonly lines = new Map<string, string>();
  private readonly asked = new Set<string>();

  private constructor(
    readonly path: string,
    private readonly rest: string,
    exports: Iterable<[name: string, line: string]>,
  ) {
    this.lines = new Map(exports);
  }

  /** @returns undefined where core is not resolved to an index of declarations */
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

  /** @returns whether one of them is an export that was not asked for before */
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
