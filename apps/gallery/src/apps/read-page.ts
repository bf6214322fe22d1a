import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const folder = join(__dirname, '..', '..', 'pages');

/** A page of this app as one document: hosts give it no server to load anything from. */
export async function readPage(name: string): Promise<string> {
  const [page, style, script] = await Promise.all(
    [`${name}.html`, 'page.css', 'host.js'].map((file) => readFile(join(folder, file), 'utf8')),
  );
  // Functions, since "$" in a replacement text would have a meaning.
  return page!
    .replace('<link rel="stylesheet" href="page.css" />', () => `<style>\n${style}</style>`)
    .replace('<script src="host.js"></script>', () => `<script>\n${script}</script>`);
}
