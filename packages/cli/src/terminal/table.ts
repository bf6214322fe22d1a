import { stripVTControlCharacters } from 'node:util';

const GAP = '  ';

/** Lays rows out in columns as wide as their widest cell; the last column flows on. No trailing spaces. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, widthOf(cell))));
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat(widths[column]! - widthOf(cell)))
      .join(GAP)
      .trimEnd(),
  );
}

const widthOf = (cell: string) => [...stripVTControlCharacters(cell)].length;
