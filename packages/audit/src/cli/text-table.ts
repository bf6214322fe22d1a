import type { TableCell } from '@toolwright/json';
import type { CommandConsole } from './audit-command.js';

/** Writes a table for people, in columns as wide as they must be. */
export async function writeTable(
  console: CommandConsole,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const widths = titles.map((title, at) => Math.max(title.length, ...rows.map((cells) => cells[at]!.length)));
  const write = (cells: readonly TableCell[]) =>
    console.row
      ? console.row(cells, widths)
      : console.out(
          `${cells
            .map(({ text }, at) => text.padEnd(widths[at]!))
            .join(' ')
            .trimEnd()}\n`,
        );
  await write(titles.map((text) => ({ text, tone: 'title' })));
  for (const cells of rows) await write(cells.map((text) => ({ text })));
}
