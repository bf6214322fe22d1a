import type { TableCell } from '@toolwright/json';
import { randomBytes } from 'node:crypto';
import { widthOfText } from './text-width.js';
import { inLine, visible } from './visible-text.js';

/** Marks up text if the terminal shows colours, and otherwise returns it unchanged. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** The parameters of SGR (ECMA-48, 8.3.117) that start and end a style. */
const sgr: Record<keyof Style, readonly [begin: number, end: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** Only this process knows the key, so text from elsewhere cannot contain a style. */
const key = randomBytes(16).toString('hex');
const mark = (parameter: number) => `\u001b{${key}:${parameter}}`;
const marks = new RegExp(`\u001b\\{${key}:(\\d+)\\}`);

export function styleFor({ colours }: { readonly colours: boolean }): Style {
  const paint = (name: keyof Style) => (text: string) =>
    colours ? `${mark(sgr[name][0])}${text}${mark(sgr[name][1])}` : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
  };
}

/** The text for a screen: our own styles become escape sequences, and everything else becomes visible. */
export function render(text: string): string {
  return text
    .split(marks)
    .map((part, index) => (index % 2 === 1 ? `\u001b[${part}m` : visible(part)))
    .join('');
}

/** Changes the words of a styled text, and keeps its styles. */
function mapWords(text: string, change: (words: string) => string): string {
  return text
    .split(marks)
    .map((part, index) => (index % 2 === 1 ? mark(Number(part)) : change(part)))
    .join('');
}

const GAP = '  ';
/** A narrower column of words is hard to read. Its text then begins below the row. */
const NARROWEST = 24;

/** Where a table is shown. */
export interface TableShape {
  /** The width of the screen. Without it, as in a pipe, no line is broken. */
  readonly columns?: number | undefined;
  /** The text before each line. */
  readonly indent?: string;
}

/**
 * Arranges rows in columns as wide as their widest cell, one text for each row. The last column takes what is left of
 * the screen, and goes on below: nothing is cut. Lines have no trailing spaces, and no cell can start a new row.
 */
export function formatTable(
  rows: readonly (readonly string[])[],
  { columns = Infinity, indent = '' }: TableShape = {},
): string[] {
  const widths: number[] = [];
  const shown = rows.map((row) => row.map((cell) => mapWords(cell, inLine)));
  for (const row of shown) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, widthOf(cell))));
  }
  return shown.map((row) => {
    const first = row.slice(0, -1).map((cell, column) => cell + ' '.repeat(widths[column]! - widthOf(cell)));
    const before = indent + first.map((cell) => cell + GAP).join('');
    const last = row.at(-1) ?? '';
    if (widthOf(before) + widthOf(last) <= columns) return (before + last).trimEnd();
    const left = columns - widthOf(before);
    if (left < NARROWEST) return stackedRow(first, last, { columns, indent });
    const lines = wrapWords(last, left);
    return lines
      .map((line, index) => (index === 0 ? before + line : ' '.repeat(widthOf(before)) + line))
      .join('\n');
  });
}

/** A row that is wider than the screen: the cells that have no room beside the others go on below, in whole words. */
function stackedRow(first: readonly string[], last: string, shape: Required<TableShape>): string {
  const { columns = Infinity, indent } = shape;
  const cells = [...first];
  let head = indent + (cells.shift() ?? '');
  while (cells.length > 0 && widthOf(head) + GAP.length + widthOf(cells[0]!) <= columns)
    head += GAP + cells.shift()!;
  const margin = `${indent}    `;
  const below = [...cells.map((cell) => cell.trimEnd()), last].filter((cell) => cell !== '');
  const lines: string[] = [];
  for (const cell of below) {
    const line = lines.at(-1);
    if (line !== undefined && widthOf(margin + line + GAP + cell) <= columns)
      lines.push(`${lines.pop()!}${GAP}${cell}`);
    else lines.push(...wrapWords(cell, Math.max(columns - margin.length, 1)));
  }
  return [head.trimEnd(), ...lines.map((line) => margin + line)].join('\n');
}

/** The text of a cell in its colour. */
export function styledCell({ text, tone }: TableCell, { bold, red, dim }: Style): string {
  const paint = { title: bold, bad: red, minor: dim };
  return tone === undefined ? text : paint[tone](text);
}

/**
 * One row of a table whose other rows are not known yet. Columns have at least these widths. Cells that the screen has no
 * room for go on below: nothing is cut.
 */
export function formatRow(
  cells: readonly string[],
  widths: readonly number[],
  { columns = Infinity, indent = '' }: TableShape = {},
): string {
  const lines = [indent];
  cells.forEach((cell, column) => {
    const shown = mapWords(cell, inLine);
    const isFirst = lines.at(-1)!.trim() === '';
    if (!isFirst && widthOf(lines.at(-1)!) + widthOf(shown) > columns) lines.push(`${indent}    `);
    const gap = ' '.repeat(Math.max((widths[column] ?? 0) - widthOf(shown), 0) + 1);
    lines.push(lines.pop()! + shown + gap);
  });
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** Lines of whole words. A word that is longer than a line stays whole. */
export function wrapWords(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && widthOf(line) + 1 + widthOf(word) <= columns)
      lines.push(`${lines.pop()!} ${word}`);
    else lines.push(word);
  }
  return lines;
}

/** How many columns a styled text takes. */
export const widthOf = (cell: string): number => {
  let width = 0;
  mapWords(cell, (words) => ((width += widthOfText(words)), words));
  return width;
};
