import { Column } from './column.js';

/** The header of a file and one pass over its records. */
export class CsvAnalysis {
  /** Records, without the header. */
  rows = 0;
  columns: readonly Column[] = [];
  private isHeader = true;

  add(record: readonly string[]): void {
    if (this.isHeader) {
      this.columns = record.map((name) => new Column(name));
      this.isHeader = false;
      return;
    }
    this.rows += 1;
    for (const [index, column] of this.columns.entries()) column.add(record[index] ?? '', this.rows);
  }
}
