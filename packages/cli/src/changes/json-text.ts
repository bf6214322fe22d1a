/** The text of a JSON file with a new value. It keeps the indentation and the line end of the text before. */
export function jsonText(value: unknown, before = '  "\n'): string {
  const indent = /^([ \t]+)"/m.exec(before)?.[1] ?? '  ';
  return JSON.stringify(value, null, indent) + (before.endsWith('\n') ? '\n' : '');
}
