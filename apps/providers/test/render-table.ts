/** A Markdown table as Prettier writes it: each column as wide as its widest cell. */
export function renderTable(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const padded = rows.map((row) => line(row.map((cell, column) => cell.padEnd(widths[column]!))));
  return [padded[0], line(widths.map((width) => '-'.repeat(width))), ...padded.slice(1)].join('\n');
}
