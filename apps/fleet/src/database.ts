import { Pool, type QueryResultRow } from 'pg';

/** Two replicas that start at the same moment must not both create the tables. The number stands for this app. */
const TABLES = `
SELECT pg_advisory_xact_lock(718221);
CREATE TABLE IF NOT EXISTS fleet_counters (key text PRIMARY KEY, count bigint NOT NULL);
CREATE TABLE IF NOT EXISTS fleet_notices (place integer PRIMARY KEY, text text NOT NULL);
CREATE TABLE IF NOT EXISTS fleet_effects (
  job text NOT NULL, step integer NOT NULL, attempted boolean NOT NULL, instance text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE IF NOT EXISTS fleet_beats (due text NOT NULL, attempted boolean NOT NULL, instance text NOT NULL);
`;

/** What one step of a job did. */
export interface Effect {
  job: string;
  step: number;
  /** Whether an earlier run may have had this effect already: nobody knows. */
  attempted: boolean;
  /** The process that did it. */
  instance: string;
}

/** The effects of one step of a job. */
export interface StepEffects {
  step: number;
  /** Effects of runs that knew of no earlier attempt. */
  known: number;
  /** Effects of runs that were told that an earlier attempt may have had it. */
  repeated: number;
}

/** One run of the schedule of every second. */
export interface Beat extends Omit<Effect, 'job' | 'step'> {
  due: string;
}

/** What became of its ticks. */
export interface Beats {
  /** The first and the last tick, in milliseconds since the epoch. */
  first: number;
  last: number;
  /** Ticks with an effect. */
  ran: number;
  /** Ticks with several effects of runs that knew of no earlier attempt. */
  twice: number;
  /** Ticks with an effect of a run that was told of an earlier attempt. */
  repeated: number;
  /** Runs that the queue began, and those that it left out. */
  begun: number;
  overlapping: number;
}

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

  /** Records an effect of a step. */
  async recordEffect({ job, step, attempted, instance }: Effect): Promise<void> {
    await this.#query('INSERT INTO fleet_effects (job, step, attempted, instance) VALUES ($1, $2, $3, $4)', [
      job,
      step,
      attempted,
      instance,
    ]);
  }

  /** How often each step of a job had its effect. */
  async countEffects(job: string): Promise<StepEffects[]> {
    return this.#query<StepEffects>(
      `SELECT step, count(*) FILTER (WHERE NOT attempted)::integer AS known,
              count(*) FILTER (WHERE attempted)::integer AS repeated
       FROM fleet_effects WHERE job = $1 GROUP BY step ORDER BY step`,
      [job],
    );
  }

  /** How many effects the jobs of one process had. */
  async effectsOf(instance: string): Promise<number> {
    const [row] = await this.#query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM fleet_effects WHERE instance = $1',
      [instance],
    );
    return row!.count;
  }

  /** The process that did the last step of a job so far. */
  async lastInstanceOf(job: string): Promise<string | undefined> {
    const [row] = await this.#query<{ instance: string }>(
      'SELECT instance FROM fleet_effects WHERE job = $1 ORDER BY at DESC LIMIT 1',
      [job],
    );
    return row?.instance;
  }

  /** @param beat.due names the run: the schedule, and when it was due */
  async recordBeat({ due, attempted, instance }: Beat): Promise<void> {
    const values = [due, attempted, instance];
    await this.#query('INSERT INTO fleet_beats (due, attempted, instance) VALUES ($1, $2, $3)', values);
  }

  /** What became of the ticks of the schedule so far. */
  async countBeats(): Promise<Beats> {
    const [row] = await this.#query<Beats>(
      `WITH ticks AS (
         SELECT split_part(due, ' ', 2)::timestamptz AS at, count(*) FILTER (WHERE NOT attempted) AS known,
                count(*) FILTER (WHERE attempted) AS repeated
         FROM fleet_beats GROUP BY 1
       )
       SELECT (extract(epoch FROM min(at)) * 1000)::float8 AS first,
              (extract(epoch FROM (SELECT tick FROM toolwright.schedules)) * 1000)::float8 AS last,
              count(*)::integer AS ran, count(*) FILTER (WHERE known > 1)::integer AS twice,
              count(*) FILTER (WHERE repeated > 0)::integer AS repeated,
              (SELECT begun FROM toolwright.schedules)::integer AS begun,
              (SELECT overlapping FROM toolwright.schedules)::integer AS overlapping
       FROM ticks`,
      [],
    );
    return row!;
  }

  /** When a job had its last effect, in milliseconds since the epoch; 0 when it had none. */
  async lastEffectOf(job: string): Promise<number> {
    const [row] = await this.#query<{ at: Date | null }>(
      'SELECT max(at) AS at FROM fleet_effects WHERE job = $1',
      [job],
    );
    return row!.at?.getTime() ?? 0;
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
