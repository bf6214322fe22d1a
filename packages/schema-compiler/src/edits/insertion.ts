/** A piece of text, and the position where it is inserted. */
export interface Insertion {
  at: number;
  text: string;
}

/** Inserts all pieces, with the line ends of the text. */
export function insertAll(text: string, insertions: readonly Insertion[]): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  // From the end, so that earlier positions stay valid.
  return [...insertions]
    .sort((a, b) => b.at - a.at)
    .reduce((now, { at, text }) => now.slice(0, at) + text.replaceAll('\n', lineEnd) + now.slice(at), text);
}

/** The indentation of the line at a position. */
export function indentAt(text: string, position: number): string {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))![0];
}
