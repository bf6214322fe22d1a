import type { AuditRecord } from '@toolwright/audit';
import { systemClock } from '@toolwright/core/ports';
import { type OptionSchema, optionRules } from '@toolwright/core/options';
import {
  type PostgresConnectionOptions,
  connectionOptions,
  parseConnection,
} from '../connect/connection-options.js';
import { openDatabase } from '../connect/open-database.js';
import { type AuditRow, AuditTable, auditRow, differingColumns } from './audit-table.js';

export interface CompareAuditOptions extends Omit<PostgresConnectionOptions, 'migrate'> {
  /** The file of the log, or those of several logs that share the table. */
  file: string | readonly string[];
  /** The name of the sink. Default `postgres`. */
  sink?: string;
}

const { either, filledText, listOf, required } = optionRules;
const { migrate: _migrate, ...reading } = connectionOptions;

const compareOptions = {
  ...reading,
  timeout: { ...reading.timeout, default: 60_000 },
  file: required(either(filledText, listOf('a list of files', filledText))),
  sink: { ...filledText, default: 'postgres' },
} satisfies OptionSchema<CompareAuditOptions>;

/** How many records are looked up at a time. */
const RECORDS = 500;

/**
 * Compares the table with the log. It finds rows that are missing, altered, or extra. The log counts as the truth, so
 * verify it first (`verifyAudit`). You can run it while the server writes.
 *
 * @throws {ConfigurationError} when an option is wrong
 * @throws {AuditError} `TW_AUDIT_NOT_FOUND` if there is no log
 * @throws {PostgresError} when Postgres does not answer, or refuses
 *
 * @example
 * const { equal, missing, altered, extra } = await compareAudit({ file: 'var/audit.jsonl', url });
 */
export async function compareAudit(given: CompareAuditOptions): Promise<AuditComparison> {
  const { file, sink, schema, ...settings } = parseConnection('compareAudit', compareOptions, given);
  const { readShipped } = await import('@toolwright/audit');
  const database = await openDatabase({ ...settings, clock: systemClock });
  try {
    const comparer = await AuditComparer.start(new AuditTable(database, schema));
    const broken: string[] = [];
    for (const log of [file].flat()) {
      const batches = readShipped({ file: log, sink, onBroken: (message) => broken.push(message) });
      for await (const { records, isShipped } of gather(batches)) await comparer.compare(records, isShipped);
    }
    return await comparer.finish(broken);
  } finally {
    await database.close();
  }
}

interface Shipped {
  records: readonly AuditRecord[];
  isShipped: boolean;
}

/** Puts small batches of one writer together, because each is a question to the table. */
async function* gather(batches: AsyncIterable<Shipped>): AsyncGenerator<Shipped> {
  let gathered: AuditRecord[] = [];
  let wasShipped = true;
  for await (const { records, isShipped } of batches) {
    for (const record of records) {
      const continues = gathered[0]?.writer === record.writer && wasShipped === isShipped;
      if (gathered.length > 0 && (!continues || gathered.length >= RECORDS)) {
        yield { records: gathered, isShipped: wasShipped };
        gathered = [];
      }
      gathered.push(record);
      wasShipped = isShipped;
    }
  }
  if (gathered.length > 0) yield { records: gathered, isShipped: wasShipped };
}

/** The numbers of a writer that the log has. */
interface Range {
  readonly first: number;
  last: number;
}

/** Compares records with rows, some at a time, and keeps what it has found. */
class AuditComparer {
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
    const columns = differingColumns(expected, found);
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

/** A record that log and table do not agree on. */
export interface AuditDifference {
  readonly id: string;
  readonly writer: string;
  readonly seq: number;
  /** The columns that differ, for an altered record. */
  readonly columns?: readonly string[];
}

/** Differences of one kind. */
export interface AuditDifferences {
  readonly count: number;
  /** The first 1,000 of them. */
  readonly first: readonly AuditDifference[];
}

/** What `compareAudit` has found. */
export interface AuditComparison {
  /** True when the table has what the log has sent, and nothing else of its writers. */
  readonly equal: boolean;
  /** How many records the log has. */
  readonly records: number;
  /** How many of them the sink has not acknowledged yet, and the table does not have. */
  readonly waiting: number;
  /** How many rows belong to files of the log that retention has deleted. Nothing can be said about them. */
  readonly older: number;
  /** How many rows belong to writers that are not in this log. Pass the logs of all replicas, and it must be 0. */
  readonly others: number;
  /** Records that the log has sent and the table does not have. */
  readonly missing: AuditDifferences;
  /** Rows that differ from their record. */
  readonly altered: AuditDifferences;
  /** Rows of the log's writers that the log does not have. */
  readonly extra: AuditDifferences;
  /** Where the log itself is visibly damaged. Nothing that is read there can be relied on. */
  readonly broken: readonly string[];
}

const MOST_LISTED = 1_000;

/** Collects differences of one kind. It keeps the first ones, and counts all. */
class DifferenceList implements AuditDifferences {
  count = 0;
  readonly first: AuditDifference[] = [];

  add({ id, writer, seq }: AuditRow, columns?: readonly string[]): void {
    this.count += 1;
    if (this.first.length < MOST_LISTED) this.first.push({ id, writer, seq, ...(columns && { columns }) });
  }
}
