/**
 * A `text` of Postgres takes neither NUL nor half a surrogate pair. So texts from outside are stored as JSON writes
 * them, without the quotes: two different texts stay different, and usual ones stay as they are.
 */
export function toColumn(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function fromColumn(column: unknown): string {
  return JSON.parse(`"${String(column)}"`) as string;
}
