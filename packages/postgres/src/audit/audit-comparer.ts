import type { AuditRecord } from '@toolwright/audit';
import { DifferenceList, type AuditComparison } from './audit-comparison.js';
import { auditRow, columnNames, type AuditRow } from './audit-row.js';
import type { AuditTable } from './audit-table.js';

/** The numbers of a writer that the log has. */
interface Range {
  readonly first: number;
  last: number;
}

/** Compares records with rows, some at a time, and keeps what it has found. */
export class AuditComparer {
  readonly #ranges = new Map<string, Range>();
  readonly #missing = new DifferenceList();
  readonly #altered = new DifferenceList();
  /** Rows at places where the log has another record or none. Some of them turn out to be records that were moved. */
  readonly #strays = new Map<string, AuditRow>();
  readonly #moved = new Set<string>();
  #records = 0;
  #waiting = 0;

  private constructor(
    private readonly table: AuditTable,
    private readonly lastNumbers: ReadonlyMap<string, number>,
  ) {}

  /**
   * What the table has at this moment, the log has had before. So whatever the server stores during the comparison
   * is not taken for something that the log lacks.
   */
  static async start(table: AuditTable): Promise<AuditComparer> {
    return new AuditComparer(table, await table.lastNumbers());
  }

  /** @param records of one writer, in their order, each of them once */
  async compare(records: readonly AuditRecord[], isShipped: boolean): Promise<void> {
    const expected = records.map(auditRow);
    const rows = await this.#rowsAt(expected);
    const absent: AuditRow[] = [];
    for (const row of expected) {
      const found = rows.get(row.id);
      if (found) this.#check(row, found);
      else absent.push(row);
      rows.delete(row.id);
    }
    for (const stray of rows.values()) if (!this.#moved.has(stray.id)) this.#strays.set(stray.id, stray);
    await this.#lookElsewhere(absent, isShipped);
    this.#records += records.length;
  }

  async finish(broken: readonly string[]): Promise<AuditComparison> {
    const extra = new DifferenceList();
    let older = 0;
    for (const [writer, { first, last }] of this.#ranges) {
      older += await this.table.countBefore(writer, first);
      const end = this.lastNumbers.get(writer) ?? last;
      for (const row of await this.table.between(writer, last + 1, end)) this.#strays.set(row.id, row);
    }
    for (const stray of this.#strays.values()) if (!this.#moved.has(stray.id)) extra.add(stray);
    const differences = { missing: this.#missing, altered: this.#altered, extra };
    const others = await this.table.countOthers([...this.#ranges.keys()]);
    const count = broken.length + extra.count + this.#missing.count + this.#altered.count;
    return {
      equal: count === 0,
      records: this.#records,
      waiting: this.#waiting,
      older,
      others,
      ...differences,
      broken,
    };
  }

  /** The rows from the last place that was compared to the last of these. */
  async #rowsAt(expected: readonly AuditRow[]): Promise<Map<string, AuditRow>> {
    const { writer, seq } = expected[0]!;
    const range = this.#ranges.get(writer) ?? { first: seq, last: seq - 1 };
    const last = expected.at(-1)!.seq;
    const rows = await this.table.between(writer, range.last + 1, last);
    this.#ranges.set(writer, { ...range, last });
    return new Map(rows.map((row) => [row.id, row]));
  }

  #check(expected: AuditRow, found: AuditRow): void {
    const columns = columnNames.filter((name) => expected[name] !== found[name]);
    if (columns.length > 0) this.#altered.add(expected, columns);
  }

  /** A record that is not at its place may be at another one. */
  async #lookElsewhere(absent: readonly AuditRow[], isShipped: boolean): Promise<void> {
    if (absent.length === 0) return;
    const rows = await this.table.withIds(absent.map(({ id }) => id));
    const found = new Map(rows.map((row) => [row.id, row]));
    for (const row of absent) {
      const moved = found.get(row.id);
      if (moved) {
        this.#moved.add(row.id);
        this.#check(row, moved);
      } else if (isShipped) this.#missing.add(row);
      else this.#waiting += 1;
    }
  }
}
