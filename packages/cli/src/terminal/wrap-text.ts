/**
 * Characters outside ASCII count as two columns. Some are that wide, and a line that is too short hides
 * nothing.
 */
const columnsOf = (character: string) => (character > '~' ? 2 : 1);

/**
 * Lines with at most this many columns. Words are cut, because the writer of the text decides how long they
 * are.
 */
export function wrapText(text: string, columns: number): string[] {
  return text.split(/\r?\n/).flatMap((line) => wrapLine(line, columns));
}

/** The beginning of a line that fits, with an ellipsis if something is missing. */
export function cutToFit(line: string, columns: number): string {
  const [first = '', ...more] = wrapLine(line, columns - 1);
  return more.length > 0 ? `${first}…` : first;
}

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = [];
  let current = '';
  let width = 0;
  for (const character of line) {
    if (width + columnsOf(character) > columns && current !== '') {
      lines.push(current);
      current = '';
      width = 0;
    }
    current += character;
    width += columnsOf(character);
  }
  return [...lines, current];
}
