/** The place behind a string of a JSON text that begins at a quote. */
export function endOfString(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
}

/**
 * A JSON text with something else in place of each string. An expression would need a stack as large as the longest string.
 *
 * @param replace gets the string with its quotes
 */
export function replaceStrings(text: string, replace: (string: string, isName: boolean) => string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let quote = text.indexOf('"'); quote !== -1; quote = text.indexOf('"', from)) {
    const end = endOfString(text, quote);
    let next = end;
    while (SPACES.has(text[next]!)) next++;
    pieces.push(text.slice(from, quote), replace(text.slice(quote, end), text[next] === ':'));
    from = end;
  }
  return pieces.join('') + text.slice(from);
}

const SPACES: ReadonlySet<string> = new Set(' \n\r\t');
