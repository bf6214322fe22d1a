import type { Query } from '@toolwright/postgres/database';
import { toColumn } from './plain-text.js';

export interface TaskLimits {
  readonly maxPerOwner: number;
  readonly max: number;
}

/**
 * So close to a limit, those who create tasks stand in line. Further away they need not: not so many can be at it at
 * the same time.
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

  async #hasAmongAll(query: Query, max: number): Promise<boolean> {
    if (this.#free > 0 && this.now() < this.#freeUntil) {
      this.#free -= 1;
      return true;
    }
    const all = await this.#count(query, undefined, max);
    this.#free = max - MARGIN - all - 1;
    this.#freeUntil = this.now() + FRESH_MS;
    if (this.#free >= 0 || all >= max) return all < max;
    await this.#standInLine(query, 'all');
    return (await this.#count(query, undefined, max)) < max;
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
