import { styleFor } from '../terminal/style.js';
import { formatTable } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';

type Row = Record<string, unknown>;

/** The longest text of a cell with others beside it. */
const WIDEST_CELL = 60;

/**
 * A structured result for people: lists of similar objects as tables, members as lines, anything deeper as
 * JSON.
 */
export function formatValue(value: unknown, terminal: Pick<Terminal, 'colours'>): string[] {
  const { bold } = styleFor(terminal);
  if (isRows(value)) return tableOf(value, bold);
  if (!isRow(value)) return [JSON.stringify(value, null, 2)];
  const members = Object.entries(value);
  const plain = members.filter(([, member]) => !isRows(member));
  return [
    ...formatTable(plain.map(([name, member]) => [bold(name), cell(member)])),
    ...members
      .filter((member): member is [string, Row[]] => isRows(member[1]))
      .flatMap(([name, rows]) => [...(members.length > 1 ? ['', bold(name)] : []), ...tableOf(rows, bold)]),
  ];
}

function tableOf(rows: readonly Row[], bold: (text: string) => string): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => names.map((name) => shorten(cell(row[name]))));
  return formatTable([names.map(bold), ...cells]);
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value.replace(/\s*\n\s*/g, ' ') : JSON.stringify(value);
}

const shorten = (text: string) => (text.length > WIDEST_CELL ? `${text.slice(0, WIDEST_CELL - 1)}…` : text);

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isRows = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);
