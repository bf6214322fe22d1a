/**
 * Joins the lines of each paragraph. A line break of the source is there because the line was long, and people and
 * models read it in the middle of a sentence. Lists, tables, headings, quotes, code and hard breaks stay as they are.
 */
export function joinLines(text: string): string {
  const lines = text.split(/\r?\n/);
  const tables = tableLines(lines);
  const joined: string[] = [];
  let fence: string | undefined;
  let isOpen = false;
  for (const [index, written] of lines.entries()) {
    const mark = FENCE.exec(written)?.[1];
    if (fence !== undefined || mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark?.startsWith(fence)) fence = undefined;
      joined.push(written.trimEnd());
      isOpen = false;
      continue;
    }
    const line = written.trim();
    const isCode: boolean = !isOpen && CODE.test(written) && !isInList(joined);
    const isBlock =
      line === '' ||
      isCode ||
      tables.has(index) ||
      (BLOCK.test(line) && !(isOpen && isSentence(line, joined.at(-1)!)));
    if (!isBlock && isOpen) joined.push(join(joined.pop()!, line));
    else joined.push(isCode || LIST.test(line) ? written.trimEnd() : line);
    // Two spaces or a backslash at the end are a line break of Markdown.
    const isBroken = / {2}$/.test(written) || line.endsWith('\\');
    isOpen = line !== '' && !isCode && !tables.has(index) && !HEADING.test(line) && !isBroken;
  }
  return joined
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const FENCE = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/;
const CODE = /^(?: {4}|\t)/;
const LIST = /^(?:[-*+]|\d+[.)])(?:\s|$)/;
const HEADING = /^(?:#{1,6}\s|(?:-{3,}|={3,}|\*{3,}|_{3,})$)/;
const BLOCK = /^(?:(?:[-*+]|\d+[.)])(?:\s|$)|#{1,6}\s|>|\||(?:-{3,}|={3,}|\*{3,}|_{3,})$|<\/?[a-z][^>]*>$)/i;

/** Chinese and Japanese have no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;

function join(before: string, line: string): string {
  const isUnspaced = UNSPACED.test([...before].at(-1)!) && UNSPACED.test([...line][0]!);
  return isUnspaced ? before + line : `${before} ${line}`;
}

/** `… in\n2024. Then …` has a number that begins no list, because lists begin with 1. */
function isSentence(line: string, before: string): boolean {
  const [, number] = /^(\d+)[.)]\s/.exec(line) ?? [];
  return number !== undefined && number !== '1' && !LIST.test(before.trim());
}

/** Whether the last text before belongs to a list, so that an indented line is its next paragraph. */
function isInList(before: readonly string[]): boolean {
  const last = before.findLast((line) => line !== '' && !CODE.test(line));
  return last !== undefined && LIST.test(last.trim());
}

/** The lines of tables: a row of dashes, the row above it, and the rows below it. */
function tableLines(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (!/^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(line) || !line.includes('|')) continue;
    for (let at = index - 1; at < lines.length && lines[at]?.trim(); at++) found.add(at);
  }
  return found;
}
