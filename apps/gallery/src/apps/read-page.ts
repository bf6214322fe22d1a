import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const folder = join(__dirname, '..', '..', 'pages');

/** A page of this app as one document: hosts give it no server to load anything from. */
export async function readPage(name: string): Promise<string> {
  const [page, script] = await Promise.all(
    [`${name}.html`, 'host.js'].map((file) => readFile(join(folder, file), 'utf8')),
  );
  // A function, since "$" in a replacement text would have a meaning.
  return page!.replace('<script src="host.js"></script>', () => `<script>\n${script}</script>`);
}
