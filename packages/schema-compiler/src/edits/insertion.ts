/** A piece of text, and the place that it is put in. */
export interface Insertion {
  at: number;
  text: string;
}

/** Puts all pieces in, with the line ends that the text has. */
export function insertAll(text: string, insertions: readonly Insertion[]): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  // From the end on, so that the places before stay what they are.
  return [...insertions]
    .sort((a, b) => b.at - a.at)
    .reduce((now, { at, text }) => now.slice(0, at) + text.replaceAll('\n', lineEnd) + now.slice(at), text);
}

/** The blanks that the line begins with in which something stands. */
export function indentAt(text: string, position: number): string {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))![0];
}
