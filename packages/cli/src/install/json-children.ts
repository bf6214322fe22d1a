import { createScanner, SyntaxKind, type Node } from 'jsonc-parser';

/**
 * Adds a member to an object, or an item to an array, as the last one and on lines of its own. `jsonc-parser` would
 * put it before the comment of the one before, and would format that one anew.
 *
 * @param child the text of the member or item, with the line ends and the indentation of the first level
 */
export function appendChild(text: string, container: Node, child: string): string {
  const { eol, unit } = layoutOf(text);
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const hasComma = last !== undefined && commaAfter(text, last) !== undefined;
  const head = last && !hasComma ? withComma(text, last, close) : text.slice(0, close);
  const outer = indentAt(text, container.offset);
  const inner = last && startsLine(text, last.offset) ? indentAt(text, last.offset) : outer + unit;
  // Where the last one has a comma, ours has one, too.
  const own = child.replaceAll('\n', eol + inner) + (hasComma ? ',' : '');
  return `${head.trimEnd()}${eol}${inner}${own}${eol}${outer}${text.slice(close)}`;
}

/** Removes a member or an item, and its comma. Comments stay. */
export function removeChild(text: string, container: Node, child: Node): string {
  const next = commaAfter(text, child);
  const before = container.children![container.children!.indexOf(child) - 1];
  const previous = next === undefined && before ? commaAfter(text, before) : undefined;
  const rest = cutLines(text, child.offset, next ?? child.offset + child.length);
  // Without what comes after it, the comma before would be one too many.
  return previous === undefined ? rest : rest.slice(0, previous - 1) + rest.slice(previous);
}

/** A value in JSON, indented as the text is. */
export function valueText(text: string, value: unknown, offset: number): string {
  const { eol, unit } = layoutOf(text);
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indentAt(text, offset));
}

/** A member in JSON, indented as the text is, for `appendChild`. */
export function memberText(text: string, key: string, value: unknown): string {
  return `${JSON.stringify(key)}: ${JSON.stringify(value, null, layoutOf(text).unit)}`;
}

/** How the text is indented and how its lines end. */
function layoutOf(text: string): { eol: string; unit: string } {
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit: /^([ \t]+)["}]/m.exec(text)?.[1] ?? '  ' };
}

/** The place after the comma that follows a node; `undefined` if none does. */
function commaAfter(text: string, { offset, length }: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset + length);
  return scanner.scan() === SyntaxKind.CommaToken ? scanner.getPosition() : undefined;
}

function withComma(text: string, { offset, length }: Node, end: number): string {
  return `${text.slice(0, offset + length)},${text.slice(offset + length, end)}`;
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))![0];
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
}

/** Without a range, and without its lines if nothing else stands on them. */
function cutLines(text: string, start: number, end: number): string {
  const isAlone = startsLine(text, start) && /^[ \t]*\r?\n/.test(text.slice(end));
  if (!isAlone) return text.slice(0, start) + text.slice(end).replace(/^[ \t]+(?=\S)/, '');
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  return text.slice(0, lineStart) + text.slice(text.indexOf('\n', end) + 1);
}
