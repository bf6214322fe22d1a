import { showHiddenInJson } from '../text/hidden-characters.js';

/** A longer line is broken. */
export const WRITTEN_WIDTH = 110;

/** A value as code. A text has no hidden character in it. */
export function literalText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const text = showHiddenInJson(JSON.stringify(value))
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'");
  return `'${text}'`;
}

/** A stranger's text cannot end a comment, and cannot begin a tag. */
export const safeText = (text: string) =>
  text
    .replaceAll('*/', '* /')
    .replace(/(^|[^\w.])@(?=\w)/g, '$1')
    .replaceAll('@', ' at ')
    .replaceAll('{ at ', '{');

/** A doc comment of one line if it fits, or of several. */
export function comment(lines: readonly string[], indent: string): string {
  if (lines.length === 0) return '';
  const [only] = lines;
  if (lines.length === 1 && indent.length + only!.length + 7 <= WRITTEN_WIDTH)
    return `${indent}/** ${only} */\n`;
  const written = lines.flatMap((line) => wrap(line, WRITTEN_WIDTH - indent.length - 3));
  return `${indent}/**\n${written.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

/** A tag stays on its line, because its value ends there. */
function wrap(text: string, width: number): string[] {
  if (text.startsWith('@') && !text.startsWith('@param')) return [text];
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + word.length + 1 > width)
      lines.push(text.startsWith('@param') ? `  ${word}` : word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
