import { writeJson } from '@toolwright/core/transport';
import { showHiddenInJson, showHiddenInLine, type TableCell } from '@toolwright/json';
import type { CommandConsole } from './audit-command.js';
import type { AuditRecord } from '../record.js';

const columns: readonly (readonly [title: string, width: number, read: (record: AuditRecord) => string])[] = [
  ['TIME', 24, ({ time }) => new Date(time).toISOString()],
  ['EVENT', 9, ({ event }) => event],
  ['OUTCOME', 10, ({ outcome, reason }) => outcome ?? reason ?? ''],
  ['NAME', 28, ({ name }) => name],
  ['SUBJECT', 24, ({ principal }) => principal?.subject ?? '(anonymous)'],
  ['MS', 8, ({ durationMs }) => (durationMs === undefined ? '' : String(Math.round(durationMs)))],
  ['CALL', 36, ({ callId }) => callId],
];

const widths = columns.map(([, width]) => width);

/** Writes the titles of the columns. */
export function writeHeading(console: CommandConsole): void | Promise<void> {
  const cells = columns.map(([title]) => ({ text: title, tone: 'title' }) as const);
  return writeRow(console, cells);
}

/** Writes one record for people. A value that is wider than its column stays whole. */
export function writeRecord(console: CommandConsole, record: AuditRecord): void | Promise<void> {
  const { event, outcome } = record;
  const isBad = event === 'denied' || event === 'limited' || (outcome !== undefined && outcome !== 'ok');
  return writeRow(
    console,
    columns.map(([title, , read]) => ({
      text: printable(read(record)),
      ...(isBad && title === 'OUTCOME' && { tone: 'bad' as const }),
    })),
  );
}

function writeRow(console: CommandConsole, cells: readonly TableCell[]): void | Promise<void> {
  if (console.row) return console.row(cells, widths);
  const line = cells.map(({ text }, column) => text.padEnd(widths[column]!)).join(' ');
  return console.out(`${line.trimEnd()}\n`);
}

/**
 * Names and subjects come from outside. Control characters in them would control the terminal. Format
 * characters (direction overrides, zero-width) would make the text look different from what it is.
 */
export const printable = showHiddenInLine;

/** JSON that means the same to a program, and controls no terminal either. */
export const printableJson = (value: unknown, indent?: number): string =>
  showHiddenInJson(writeJson(value, indent));
