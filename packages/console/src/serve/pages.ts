import { existsSync, readFileSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface Page {
  readonly type: string;
  readonly body: Buffer;
  /** True for files whose name changes with their content. */
  readonly isLasting: boolean;
}

/** The files of the page, as the package ships them. */
export class Pages {
  readonly #read = new Map<string, Page | undefined>();

  constructor(private readonly folder = join(__dirname, '../../dist/web')) {}

  /** @param path below the console, such as `assets/index-1a2b.js` */
  find(path: string): Page | undefined {
    if (!this.#read.has(path)) this.#read.set(path, this.#load(path));
    return this.#read.get(path);
  }

  #load(path: string): Page | undefined {
    const file = normalize(join(this.folder, path));
    const type = types[extname(file)];
    if (!file.startsWith(this.folder + sep) || !type || !existsSync(file)) return undefined;
    return { type, body: readFileSync(file), isLasting: path.startsWith('assets/') };
  }
}
