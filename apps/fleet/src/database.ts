import { Pool, type QueryResultRow } from 'pg';

/** Two replicas that start at the same moment must not both create the tables. The number stands for this app. */
const TABLES = `
SELECT pg_advisory_xact_lock(718221);
CREATE TABLE IF NOT EXISTS fleet_counters (key text PRIMARY KEY, count bigint NOT NULL);
CREATE TABLE IF NOT EXISTS fleet_notices (place integer PRIMARY KEY, text text NOT NULL);
`;

/** What the tools keep in PostgreSQL. It connects when a tool first needs it, and again after an outage. */
export class Database {
  readonly #pool: Pool;
  #prepared: Promise<unknown> | undefined;

  constructor(url: string) {
    this.#pool = new Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 5_000 });
    // A connection that breaks while nobody uses it is replaced by the next query.
    this.#pool.on('error', () => undefined);
  }

  /** Adds one to a counter, and returns what it is then. */
  async count(key: string): Promise<number> {
    const [row] = await this.#query<{ count: string }>(
      `INSERT INTO fleet_counters AS counter (key, count) VALUES ($1, 1)
       ON CONFLICT (key) DO UPDATE SET count = counter.count + 1 RETURNING count`,
      [key],
    );
    return Number(row!.count);
  }

  async writeNotice(text: string): Promise<void> {
    await this.#query(
      `INSERT INTO fleet_notices (place, text) VALUES (1, $1)
       ON CONFLICT (place) DO UPDATE SET text = excluded.text`,
      [text],
    );
  }

  async readNotice(): Promise<string> {
    const [row] = await this.#query<{ text: string }>('SELECT text FROM fleet_notices WHERE place = 1', []);
    return row?.text ?? '';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }

  async #query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    this.#prepared ??= this.#pool.query(TABLES);
    try {
      await this.#prepared;
    } catch (error) {
      // The next query tries again.
      this.#prepared = undefined;
      throw error;
    }
    return (await this.#pool.query<Row>(text, values)).rows;
  }
}
