import { replaceStrings } from './json-strings.js';

/**
 * True if an object of a JSON text names a member twice. Parsers take the last of the two, or the first. So what one program
 * has checked is not what another one reads. A byte order mark counts, too: decoders drop it, or parsers fail at it.
 *
 * @param text a valid JSON text
 */
export function hasDoubledNames(text: string): boolean {
  return text.startsWith('\ufeff') || namesIn(text) !== membersOf(JSON.parse(text));
}

/** How many members a JSON text names. Outside of strings, a colon is after each name, and nowhere else. */
const namesIn = (text: string): number => replaceStrings(text, () => '').split(':').length - 1;

/** How many members an object and all objects in it have. */
function membersOf(value: unknown): number {
  let count = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner: unknown[] = Object.values(next);
    if (!Array.isArray(next)) count += inner.length;
    for (const each of inner) open.push(each);
  }
  return count;
}
