import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(__dirname, '../../../../docs');

/** The lines of the shell on a page that contain a text. */
export function linesOf(page: string, text: string): string[] {
  const blocks = readFileSync(join(docs, page), 'utf8').matchAll(/^```sh\n([^]*?)^```$/gm);
  return [...blocks].flatMap(([, body]) => body!.split('\n')).filter((line) => line.includes(text));
}

/** The files that a page shows, by their names: blocks with `file=`. */
export function filesOf(page: string): ReadonlyMap<string, string> {
  const blocks = readFileSync(join(docs, page), 'utf8').matchAll(/^```\w+ file=(\S+)\n([^]*?)^```$/gm);
  return new Map([...blocks].map(([, name, body]) => [name!, body!]));
}
