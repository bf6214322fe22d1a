import type { QueueLoad } from '@toolwright/core/ports';
import type { ServedWork } from '@toolwright/queue';
import type { Query, Row } from '@toolwright/postgres/database';
import { QUEUE, type HandedOut } from '../engine/job-engine.js';
import { toColumn } from './plain-text.js';

/** A worker whose server says nothing of what it serves takes everything. */
export type Served = ServedWork | undefined;

/** pg-boss takes no shorter time for the heartbeat of a job. */
const SHORTEST_LOSS_S = 10;
/** How many parties one statement looks at. */
const PARTIES_AT_ONCE = 100;
/** How many owners of one tenant it looks at. The next turn of the tenant begins behind the last one. */
const OWNERS_OF_TENANT = 20;
/** The largest number of tenants with a place in the turns of their owners. Others begin at their first owner. */
const MOST_PLACES = 1_000;
/** Other processes may be about to take some of the same runs. */
const SPARE = 20;
/** How long it is remembered that some work was served. */
const REMEMBERED = "interval '30 days'";

/** What waits, or runs. It is the condition of an index. */
const HANDED_OUT = 'task.job_id IS NOT NULL AND task.ending IS NULL';
/** Two runs were lost in a row: the next one has its process for itself. It is the condition of an index, too. */
const IS_SUSPECT = 'task.losses + task.unsettled::integer >= 2';
const MAY_BEGIN = "job.state < 'active' AND job.start_after <= now()";
/** Who takes turns: a tenant, or an owner without one. */
const PARTY = 'coalesce(task.party, task.owner)';
/** Others are owners, and no owner begins so. */
const IS_TENANT = "starts_with(parties.party, 'tenant ')";
/** The work of every digest of a tool. Digests have 43 characters. */
const ANY_DIGEST = "left(task.work, -43) || '*'";
const IS_SERVED = `($1::text[] IS NULL OR task.work IS NULL OR task.work = ANY($1) OR ${ANY_DIGEST} = ANY($1))`;

/** The place of a worker in the turns of the parties: behind this one. `undefined`: before the first. */
export type Turn = string | undefined;

/**
 * Decides which runs a worker takes next. The jobs are those of pg-boss, which hands them out again when they are lost.
 * What it cannot decide is here: a worker takes only what it serves, tenants and owners take turns, and a suspect is taken
 * alone.
 */
export class TaskClaims {
  readonly #tasks: string;
  readonly #work: string;
  readonly #jobs: string;
  /** Behind which owner the next turn of a tenant begins. The tenant that was served last is at the end. */
  readonly #places = new Map<string, string>();

  constructor(schema: string, engineSchema: string) {
    this.#tasks = `"${schema}".tasks`;
    this.#work = `"${schema}".task_work`;
    this.#jobs = `"${engineSchema}".job`;
  }

  /**
   * Takes runs up to a number: one of each party in turn, and of the owners of each tenant in turn.
   *
   * @returns the runs, and behind whom the next turn begins
   */
  async next(
    query: Query,
    served: Served,
    { most, after }: { most: number; after: Turn },
  ): Promise<{ runs: HandedOut[]; after: Turn }> {
    const runs: HandedOut[] = [];
    // From here to the last party, and once more from the first one: parties that had their turn may have more tasks.
    for (let turn = after, isLastLap = after === undefined; ;) {
      const { rows, last } = await this.#round(query, served, { most: most - runs.length, after: turn });
      runs.push(...rows.map(handedOut));
      if (runs.length >= most) return { runs, after: rows.at(-1)!['party'] as string };
      if (last === undefined && isLastLap) return { runs, after: undefined };
      isLastLap ||= last === undefined;
      turn = last;
    }
  }

  async #round(
    query: Query,
    served: Served,
    { most, after }: { most: number; after: Turn },
  ): Promise<{ rows: Row[]; last: Turn }> {
    const rows = await query(
      `WITH RECURSIVE parties (party, nth) AS (
         SELECT ${this.#first(PARTY, `$2::text IS NULL OR ${PARTY} > $2`)}, 1
         UNION ALL
         SELECT ${this.#first(PARTY, `${PARTY} > parties.party`)}, nth + 1
         FROM parties WHERE parties.party IS NOT NULL AND nth < ${PARTIES_AT_ONCE}
       ), candidate AS (
         SELECT parties.party, own.owner, own.job_id, own.turn
         FROM parties CROSS JOIN LATERAL (
           WITH RECURSIVE place (owner) AS (
             SELECT coalesce($4::json ->> parties.party, '')
           ), behind (owner, nth) AS (
             SELECT ${this.#ownerOf('task.owner > (SELECT owner FROM place)')}, 1 WHERE ${IS_TENANT}
             UNION ALL
             SELECT ${this.#ownerOf('task.owner > behind.owner')}, nth + 1
             FROM behind WHERE behind.owner IS NOT NULL AND nth < ${OWNERS_OF_TENANT}
           ), before (owner, nth) AS (
             SELECT ${this.#ownerOf('task.owner <= (SELECT owner FROM place)')}, 1 WHERE ${IS_TENANT}
             UNION ALL
             SELECT ${this.#ownerOf('task.owner > before.owner AND task.owner <= (SELECT owner FROM place)')}, nth + 1
             FROM before WHERE before.owner IS NOT NULL AND nth < ${OWNERS_OF_TENANT}
           ), owners (owner, nth) AS (
             SELECT parties.party, 1 WHERE NOT ${IS_TENANT}
             UNION ALL SELECT owner, nth FROM behind
             UNION ALL SELECT owner, nth + ${OWNERS_OF_TENANT} FROM before
           )
           SELECT owners.owner, each.job_id, row_number() OVER (ORDER BY each.turn, owners.nth) AS turn
           FROM owners CROSS JOIN LATERAL (
             SELECT task.job_id, row_number() OVER (ORDER BY task.created_at, task.id) AS turn
             FROM ${this.#tasks} AS task JOIN ${this.#jobs} AS job ON job.name = '${QUEUE}' AND job.id = task.job_id
             WHERE ${PARTY} = parties.party AND task.owner = owners.owner AND ${HANDED_OUT}
               AND task.expires_at > clock_timestamp() AND NOT (${IS_SUSPECT}) AND ${IS_SERVED} AND ${MAY_BEGIN}
             ORDER BY task.created_at, task.id LIMIT $3::int + ${SPARE}
           ) AS each
           WHERE owners.owner IS NOT NULL
           ORDER BY each.turn, owners.nth LIMIT $3::int + ${SPARE}
         ) AS own
         ORDER BY own.turn, parties.party LIMIT $3::int + ${SPARE}
       ), taken AS (${this.#take('$3::int')})
       SELECT taken.*, NULL AS last FROM taken
       UNION ALL
       SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL,
         (SELECT party FROM parties WHERE nth = ${PARTIES_AT_ONCE})`,
      [kindsOf(served), after ?? null, most, JSON.stringify(Object.fromEntries(this.#places))],
    );
    const taken = rows.filter((row) => row['id'] !== null);
    taken.sort(
      (a, b) => Number(a['turn']) - Number(b['turn']) || (String(a['party']) < String(b['party']) ? -1 : 1),
    );
    for (const row of taken) this.#remember(row['party'] as string, row['owner'] as string);
    const last = rows.find((row) => row['id'] === null)?.['last'] as string | null | undefined;
    return { rows: taken, last: last ?? undefined };
  }

  /** The first value of the waiting tasks that meet a condition. It is one step in an index. */
  #first(value: string, condition: string): string {
    return `(SELECT ${value} FROM ${this.#tasks} AS task WHERE ${HANDED_OUT} AND ${condition} ORDER BY ${value} LIMIT 1)`;
  }

  #ownerOf(condition: string): string {
    return this.#first('task.owner', `${PARTY} = parties.party AND ${condition}`);
  }

  #remember(party: string, owner: string): void {
    if (party === owner) return;
    this.#places.delete(party);
    this.#places.set(party, owner);
    if (this.#places.size > MOST_PLACES) this.#places.delete(this.#places.keys().next().value!);
  }

  /** Takes a task that may be what ends the processes. */
  async suspect(query: Query, served: Served): Promise<HandedOut | undefined> {
    const [row] = await query(
      `WITH candidate AS (
         SELECT task.job_id, ${PARTY} AS party, task.owner, row_number() OVER (ORDER BY task.created_at) AS turn
         FROM ${this.#tasks} AS task
         WHERE ${HANDED_OUT} AND ${IS_SUSPECT} AND ${IS_SERVED} AND task.expires_at > clock_timestamp()
       ), taken AS (${this.#take('1')})
       SELECT * FROM taken`,
      [kindsOf(served)],
    );
    return row && handedOut(row);
  }

  /** Remembers that this process serves its work. */
  async serve(query: Query, served: ServedWork): Promise<void> {
    await query(
      // In their order, so that processes do not wait for each other in a circle.
      `INSERT INTO ${this.#work} AS known (kind, served_at)
       SELECT kind, clock_timestamp() FROM unnest($1::text[]) AS kind ORDER BY kind
       ON CONFLICT (kind) DO UPDATE SET served_at = EXCLUDED.served_at
         WHERE known.served_at < EXCLUDED.served_at - interval '1 second'`,
      [[...new Set(kindsOf(served))]],
    );
    await query(`DELETE FROM ${this.#work} WHERE served_at < clock_timestamp() - ${REMEMBERED}`);
  }

  /** Takes work of this server that no process has served for too long. */
  async unserved(query: Query, served: ServedWork, most: number): Promise<HandedOut[]> {
    const rows = await query(
      `WITH candidate AS (
         SELECT task.job_id, ${PARTY} AS party, task.owner, row_number() OVER (ORDER BY task.created_at) AS turn
         FROM ${this.#tasks} AS task
         JOIN ${this.#jobs} AS job ON job.name = '${QUEUE}' AND job.id = task.job_id
         WHERE ${HANDED_OUT} AND NOT ${IS_SERVED} AND starts_with(task.work, $2) AND ${MAY_BEGIN}
           AND job.start_after <= clock_timestamp() - $3::float8 * interval '1 millisecond'
           AND NOT EXISTS (
             SELECT FROM ${this.#work} AS known WHERE known.kind IN (task.work, ${ANY_DIGEST})
               AND known.served_at > clock_timestamp() - $3::float8 * interval '1 millisecond'
           )
         LIMIT $4::int + ${SPARE}
       ), taken AS (${this.#take('$4::int')})
       SELECT * FROM taken`,
      [kindsOf(served), toColumn(served.prefix), served.unservedMs, most],
    );
    return rows.map(handedOut);
  }

  /** How many runs wait and are held. Jobs without a task are nobody's. */
  async load(query: Query): Promise<Pick<QueueLoad, 'waiting' | 'oldestMs' | 'running'>> {
    const [row] = await query(
      `SELECT count(*) FILTER (WHERE ${MAY_BEGIN})::int AS waiting,
         count(*) FILTER (WHERE job.state = 'active')::int AS running,
         (extract(epoch FROM now() - min(job.start_after) FILTER (WHERE job.state < 'active')) * 1000)::float8 AS oldest
       FROM ${this.#tasks} AS task CROSS JOIN LATERAL (
         -- One by one: after a burst, Postgres does not know yet how many there are, and would compare all with all.
         SELECT state, start_after FROM ${this.#jobs} WHERE name = '${QUEUE}' AND id = task.job_id LIMIT 1
       ) AS job
       WHERE ${HANDED_OUT} AND job.state <= 'active'`,
    );
    const { waiting, running, oldest } = row as { waiting: number; running: number; oldest: number | null };
    return { waiting, running, oldestMs: Math.max(0, Math.round(oldest ?? 0)) };
  }

  /** Removes jobs whose tasks are gone. */
  async dropOrphans(query: Query, most: number): Promise<void> {
    await query(
      `DELETE FROM ${this.#jobs} WHERE name = '${QUEUE}' AND id IN (
         SELECT job.id FROM ${this.#jobs} AS job LEFT JOIN ${this.#tasks} AS task ON task.job_id = job.id
         WHERE job.name = '${QUEUE}' AND job.state < 'active' AND task.id IS NULL
           AND job.created_on < now() - interval '1 minute' LIMIT ${most}
       )`,
    );
  }

  /**
   * Takes jobs of the candidates. This is what `fetch` of pg-boss does to a job: it becomes active, and a job that began
   * before gets the next number.
   */
  #take(most: string): string {
    return `
      UPDATE ${this.#jobs} AS job SET state = 'active', started_on = now(), heartbeat_on = now(),
        retry_count = CASE WHEN job.started_on IS NOT NULL THEN job.retry_count + 1 ELSE job.retry_count END
      FROM (
        SELECT job.id AS picked, candidate.party, candidate.owner, candidate.turn FROM ${this.#jobs} AS job
        JOIN candidate ON candidate.job_id = job.id
        WHERE job.name = '${QUEUE}' AND ${MAY_BEGIN}
        ORDER BY candidate.turn, candidate.party LIMIT ${most}
        FOR UPDATE OF job SKIP LOCKED
      ) AS next, ${this.#tasks} AS task
      WHERE job.name = '${QUEUE}' AND job.id = next.picked AND task.job_id = next.picked
      RETURNING job.id, job.retry_count, job.heartbeat_seconds, task.id AS task_id, next.party, next.owner, next.turn`;
  }
}

const kindsOf = (served: Served): string[] | null => served?.kinds.map(toColumn) ?? null;

function handedOut(row: Row): HandedOut {
  return {
    jobId: row['id'] as string,
    number: row['retry_count'] as number,
    taskId: row['task_id'] as string,
    lostAfter: ((row['heartbeat_seconds'] as number | null) ?? SHORTEST_LOSS_S) * 1_000,
  };
}
