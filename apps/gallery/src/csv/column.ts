/** Plain decimal numbers; `Number()` alone would also take "0x10", " " and "Infinity". */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** What a pass over a file has learnt of one column. */
export class Column {
  /** Cells that are not empty. */
  count = 0;
  /** The first cell that is not a number; undefined as long as all are. */
  text: { value: string; record: number } | undefined;
  private total = 0;
  private lost = 0;

  constructor(readonly name: string) {}

  add(cell: string, record: number): void {
    if (cell === '') return;
    this.count += 1;
    if (this.text) return;
    const value = cell.trim();
    if (NUMBER.test(value)) this.sumUp(Number(value));
    else this.text = { value: cell, record };
  }

  /** All cells are numbers, and their sum is one that JSON has. */
  get isNumeric(): boolean {
    return !this.text && Number.isFinite(this.sum);
  }

  get sum(): number {
    return this.total + this.lost;
  }

  /** Undefined when there is nothing to divide by. */
  get average(): number | undefined {
    return this.count === 0 ? undefined : this.sum / this.count;
  }

  /** Neumaier's summation: what adding to a large total rounds away is kept, so that a million cents stay exact. */
  private sumUp(value: number): void {
    const total = this.total + value;
    this.lost +=
      Math.abs(this.total) >= Math.abs(value) ? this.total - total + value : value - total + this.total;
    this.total = total;
  }
}
