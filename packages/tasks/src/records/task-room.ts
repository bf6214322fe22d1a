import type { Query } from '@toolwright/postgres/database';
import { toColumn } from './plain-text.js';

export interface TaskLimits {
  readonly maxPerOwner: number;
  readonly max: number;
}

/**
 * This close to a limit, tasks are created one after the other. Further away, that is not needed: fewer tasks than
 * this can be created at the same time.
 */
const MARGIN = 100;
/** For so long the number of all tasks is not counted again. */
const FRESH_MS = 1_000;

/**
 * Decides whether there is room for one more task. Counting a few is quick, so each owner's tasks are counted each
 * time. All tasks together are counted once a second while they are far from the limit.
 */
export class TaskRoom {
  #freeUntil = 0;
  #free = 0;

  constructor(
    private readonly schema: string,
    private readonly limits: TaskLimits,
    private readonly now: () => number,
  ) {}

  /** Asks within the transaction that creates the task. */
  async has(query: Query, owner: string): Promise<boolean> {
    const { maxPerOwner, max } = this.limits;
    const isNamed = owner !== '';
    const own = await this.#count(query, owner, maxPerOwner);
    if (own >= maxPerOwner) return false;
    if (own >= maxPerOwner - MARGIN) {
      await this.#standInLine(query, `owner ${toColumn(owner)}`);
      if ((await this.#count(query, owner, maxPerOwner)) >= maxPerOwner) return false;
    }
    return !isNamed || this.#hasAmongAll(query, max);
  }

  /**
   * The same for many tasks at once.
   *
   * @returns false when a limit is near, so that they have to ask one by one
   */
  async hasForAll(query: Query, owners: readonly string[]): Promise<boolean> {
    const tasks = new Map<string, number>();
    for (const owner of owners) tasks.set(toColumn(owner), (tasks.get(toColumn(owner)) ?? 0) + 1);
    const { maxPerOwner } = this.limits;
    const rows = await query(
      `SELECT owner, (
         SELECT count(*)::int FROM (
           SELECT FROM "${this.schema}".tasks AS task
           WHERE task.owner = asked.owner AND expires_at > clock_timestamp() LIMIT $2
         ) AS own
       ) AS count FROM unnest($1::text[]) AS asked (owner)`,
      [[...tasks.keys()], maxPerOwner],
    );
    const free = (owner: string, count: number) => maxPerOwner - MARGIN - count - tasks.get(owner)!;
    if (rows.some((row) => free(row['owner'] as string, row['count'] as number) < 0)) return false;
    const named = owners.filter((owner) => owner !== '').length;
    if (named === 0) return true;
    if (this.#free < named || this.now() >= this.#freeUntil) await this.#countAll(query);
    if (this.#free < named) return false;
    this.#free -= named;
    return true;
  }

  async #hasAmongAll(query: Query, max: number): Promise<boolean> {
    if (this.#free > 0 && this.now() < this.#freeUntil) {
      this.#free -= 1;
      return true;
    }
    await this.#countAll(query);
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    await this.#standInLine(query, 'all');
    return (await this.#count(query, undefined, max)) < max;
  }

  async #countAll(query: Query): Promise<void> {
    const { max } = this.limits;
    this.#free = max - MARGIN - (await this.#count(query, undefined, max));
    this.#freeUntil = this.now() + FRESH_MS;
  }

  async #count(query: Query, owner: string | undefined, most: number): Promise<number> {
    const whose = owner === undefined ? "owner <> ''" : 'owner = $2';
    const [row] = await query(
      `SELECT count(*)::int AS count FROM (
         SELECT FROM "${this.schema}".tasks WHERE ${whose} AND expires_at > clock_timestamp() LIMIT $1
       ) AS counted`,
      [most, ...(owner === undefined ? [] : [toColumn(owner)])],
    );
    return row?.['count'] as number;
  }

  /** The line is over when the transaction is. Statements after this one see what those before have created. */
  async #standInLine(query: Query, name: string): Promise<void> {
    await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `toolwright.${this.schema} ${name}`,
    ]);
  }
}
