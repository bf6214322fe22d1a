/**
 * A `text` of Postgres takes neither NUL nor half a surrogate pair. So texts from outside are stored as JSON writes
 * them, without the quotes: two different texts stay different, and usual ones stay as they are.
 */
export function toColumn(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** @throws {SyntaxError} when somebody else has written the column, and not in this way */
export function fromColumn(column: unknown): string {
  if (typeof column !== 'string') throw new SyntaxError('The column holds no text.');
  return JSON.parse(`"${column}"`) as string;
}

/** A text that is only shown. One that somebody else has written is shown as it is. */
export function shownText(column: unknown): string {
  try {
    return fromColumn(column);
  } catch {
    return String(column);
  }
}
