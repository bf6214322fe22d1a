/** Programs put line ends into long base64. A text with spaces is a sentence. */
const LINE_ENDS = /[\n\r]+/g;

/**
 * The bytes of base64, also in the alphabet of URLs and without its ending (RFC 4648). Node.js leaves out each other character,
 * so it has bytes for any text: those of another text.
 *
 * @returns undefined for a text that is not base64
 */
export function readBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === sizeOf(text)) return bytes;
  return bytes.length === sizeOf(text.replace(LINE_ENDS, '')) ? bytes : undefined;
}

/** How many bytes a text is. Four characters are three bytes, and a single one at the end has too few bits; then it is -1. */
function sizeOf(text: string): number {
  const ending = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const length = text.length - ending;
  const isWhole = length % 4 !== 1 && (ending === 0 || text.length % 4 === 0);
  return isWhole ? Math.floor((length * 3) / 4) : -1;
}
