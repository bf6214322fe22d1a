import type { Clock, LeaseStore } from '@toolwright/core/ports';
import { type LeaseHolding, RenewedLeases } from '@toolwright/json';
import { type Statements, digest, isDone, isKept, until } from '../schema/sql.js';

/**
 * Leases that end by the clock of Postgres.
 *
 * A lease is taken by a script, which is one trip: a process that is suspended between two statements of a
 * transaction would keep all others from the key. All values in the text are digests, ids and numbers of ours.
 */
export class PostgresLeaseStore extends RenewedLeases implements LeaseStore {
  readonly patienceMs: number;
  readonly #table: string;

  constructor(
    private readonly database: Statements,
    private readonly settings: {
      readonly schema: string;
      readonly lease: number;
      readonly patience: number;
      readonly route: { readonly clock: Clock };
    },
  ) {
    super(settings.lease);
    this.patienceMs = settings.patience;
    this.#table = `"${settings.schema}".leases`;
  }

  protected get clock(): Clock {
    return this.settings.route.clock;
  }

  protected nameOf(key: string): string {
    return digest(key);
  }

  protected async take(holdings: readonly LeaseHolding[], most: readonly number[]): Promise<boolean> {
    const table = this.#table;
    // In one order everywhere, so that nobody waits for somebody who waits for him.
    const locks = holdings.map(({ key }) => `toolwright.${this.settings.schema}.lease.${key}`).sort();
    const wanted = holdings.map(({ key, member }, at) => `('${key}', '${member}', ${whole(most[at]!)})`);
    const script = `BEGIN ISOLATION LEVEL READ COMMITTED;
${locks.map((lock) => `SELECT pg_advisory_xact_lock(hashtextextended('${lock}', 0));`).join('\n')}
WITH wanted (key, member, most) AS (VALUES ${wanted.join(', ')}),
  full_keys AS (SELECT FROM wanted WHERE most <= (
    SELECT count(*) FROM ${table} AS held WHERE held.key = wanted.key AND ${isKept('held')}))
INSERT INTO ${table} (key, member, expires_at)
  SELECT key, member, ${until(String(this.lease))} FROM wanted WHERE NOT EXISTS (SELECT FROM full_keys)
  RETURNING true AS done;
COMMIT;`;
    return isDone((await this.database.script(script)).filter((row) => 'done' in row));
  }

  protected renew(holdings: readonly LeaseHolding[]): Promise<unknown> {
    return this.database.query(
      `INSERT INTO ${this.#table} (key, member, expires_at)
       SELECT key, member, ${until('$3')} FROM unnest($1::text[], $2::text[]) AS held (key, member)
       ON CONFLICT (key, member) DO UPDATE SET expires_at = excluded.expires_at`,
      [...columnsOf(holdings), this.lease],
    );
  }

  protected end(holdings: readonly LeaseHolding[]): Promise<unknown> {
    return this.database.query(
      `DELETE FROM ${this.#table}
       WHERE (key, member) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
      columnsOf(holdings),
    );
  }
}

function columnsOf(holdings: readonly LeaseHolding[]): [keys: string[], members: string[]] {
  return [holdings.map(({ key }) => key), holdings.map(({ member }) => member)];
}

/** A number that PostgreSQL reads, whatever it is. */
function whole(most: number): number {
  return Math.trunc(Math.min(Math.max(Number(most), 0), Number.MAX_SAFE_INTEGER));
}
