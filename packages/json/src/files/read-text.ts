import { readFileSync } from 'node:fs';

/** The text of a file. Programs of Windows begin it with a byte order mark, and some write UTF-16. */
export function readText(file: string): string {
  const bytes = readFileSync(file);
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes);
}
