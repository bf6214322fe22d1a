/**
 * The characters that some readers take for the end of a line: the next line of ISO 6429, and the two separators of
 * Unicode. JSON allows them in its texts as they are, but cutters of lines such as Python's `splitlines` would end a
 * message at them.
 */
const LINE_ENDS = /[\u0085\u2028\u2029]/;
const EACH_LINE_END = /[\u0085\u2028\u2029]/g;

/** JSON text that no reader takes for more than one line. It returns the same text when there is nothing to escape. */
export function oneLine(json: string): string {
  return LINE_ENDS.test(json) ? json.replace(EACH_LINE_END, escaped) : json;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
