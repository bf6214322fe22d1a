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

export const tableHeading = `${columns
  .map(([title, width]) => title.padEnd(width))
  .join(' ')
  .trimEnd()}\n`;

/** One line of the table for people. Long values are cut; `--json` shows them in full. */
export function tableLine(record: AuditRecord): string {
  const cells = columns.map(([, width, read]) => fit(printable(read(record)), width));
  return `${cells.join(' ').trimEnd()}\n`;
}

function fit(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width);
}

/**
 * Names and subjects come from outside. Control characters in them would control the terminal. Format
 * characters (direction overrides, zero-width) would make the text look different from what it is.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${character.codePointAt(0)!.toString(16)}}`;
  });
}
