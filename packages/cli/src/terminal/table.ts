import { mapWords } from './style.js';
import { inLine } from './visible-text.js';

const GAP = '  ';

/**
 * Arranges rows in columns as wide as their widest cell. The last column has no fixed width. Lines have no
 * trailing spaces, and no cell can start a new line.
 */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  const shown = rows.map((row) => row.map((cell) => mapWords(cell, inLine)));
  for (const row of shown) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, widthOf(cell))));
  }
  return shown.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat(widths[column]! - widthOf(cell)))
      .join(GAP)
      .trimEnd(),
  );
}

/** How many characters are visible. */
const widthOf = (cell: string) => {
  let width = 0;
  mapWords(cell, (words) => ((width += [...words].length), words));
  return width;
};
