/** Characters beyond ASCII count as two columns: some are, and a line that is too short hides nothing. */
const columnsOf = (character: string) => (character > '~' ? 2 : 1);

/** Lines of no more than so many columns. Words are cut: where they end is the writer's to say. */
export function wrapText(text: string, columns: number): string[] {
  return text.split(/\r?\n/).flatMap((line) => wrapLine(line, columns));
}

/** The beginning of a line that fits, with an ellipsis where there is more. */
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
