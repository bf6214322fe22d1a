import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { ResultsOfFiles } from './kept-result.js';

type Vite = typeof import('vite');

/** Libraries as large as this are shortened. React has 500 KB in one file. */
const LARGE_BYTES = 20 * 1024;

/**
 * Shortens large files of libraries once, for pages that are made again after each edit: the bundler has less to read, and the page
 * is half as large. The code of the project stays as it is written.
 */
export class ShortLibraries {
  readonly #kept = new ResultsOfFiles<string | undefined>();

  plugin({ minify }: Pick<Vite, 'minify'>): Plugin {
    return {
      name: 'toolwright:short-libraries',
      load: {
        filter: { id: /[\\/]node_modules[\\/][^?\0]+\.[cm]?js$/ },
        handler: (path) => this.#load(path, minify),
      },
    };
  }

  async #load(path: string, minify: Vite['minify']): Promise<string | undefined> {
    return this.#kept.of(path).get('', async () => {
      const text = readFileSync(path, 'utf8');
      return {
        value: text.length < LARGE_BYTES ? undefined : await short(path, text, minify),
        inputs: [path],
      };
    });
  }
}

/** @returns undefined when the bundler shall read the file itself, and say what is wrong with it */
async function short(path: string, text: string, minify: Vite['minify']): Promise<string | undefined> {
  try {
    const { code, errors } = await minify(path, text, { mangle: { toplevel: true } });
    return errors.length > 0 ? undefined : code;
  } catch {
    return undefined;
  }
}
