import type { MessageRow } from './message-rows.js';

/** The messages as JSON lines, oldest first: one record of the console a line, with the message inside. */
export function jsonLines(rows: readonly MessageRow[]): string {
  return rows.map(({ seq, record }) => `${JSON.stringify({ seq, ...record })}\n`).join('');
}

/** Gives the person a file. */
export function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/jsonl' }));
  link.download = name;
  link.click();
  // The browser has taken the address when the click is over, but reads the file later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
