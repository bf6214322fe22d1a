import { AsyncLocalStorage } from 'node:async_hooks';
import { type StorePorts, monotonic } from '@toolwright/core/ports';
import { reasonOf } from '@toolwright/json';
import type { Database, DatabaseSession } from '../connect/database.js';
import { Keeper } from '../connect/keeper.js';
import { type PostgresError } from '../errors.js';

export interface NotificationLineSettings {
  readonly channel: string;
  readonly checkInterval: number;
  /** Tells the bus what a notification says. */
  tell(payload: string): void;
  /** Notifications may have been missed. */
  onMissed(): void;
}

/** How many notifications a waiting process remembers, and how many wait to be passed on. The oldest are dropped. */
const MOST_KEPT = 1_000;

/**
 * Hears the notifications of one channel. All processes do, and the one that holds the lock tells them. The others
 * remember the latest ones: when the lock is free, the next process passes on what the one before could not.
 */
export class NotificationLine {
  readonly #keeper: Keeper;
  readonly #atBoot = AsyncLocalStorage.snapshot();
  /** What this process has heard while another one tells, with the time. */
  #heard: { readonly payload: string; readonly at: number }[] = [];
  /** The notifications of the next turn. Equal ones are passed on once. */
  readonly #waiting = new Set<string>();
  /** More notifications came in a turn than are passed on. */
  #hasMissed = false;
  /** This process was not connected for a while, and no other one has passed anything on since. */
  #hasGap = false;
  /** Until then, a process that has lost its connection leaves the lock to processes that have missed nothing. */
  #standsByUntil = Number.NEGATIVE_INFINITY;
  #session: DatabaseSession | undefined;
  #isTelling = false;

  constructor(
    database: Database,
    private readonly ports: StorePorts,
    private readonly settings: NotificationLineSettings,
  ) {
    const kept = {
      name: `postgres notifications ${settings.channel}`,
      raise: () => this.#connect(database),
      check: () => this.#check(),
      lower: () => this.#disconnect(),
    };
    this.#keeper = new Keeper(kept, ports, settings.checkInterval);
  }

  get isTelling(): boolean {
    return this.#isTelling;
  }

  /** @returns the error when Postgres refuses; none when it is merely away */
  start(): Promise<PostgresError | undefined> {
    return this.#keeper.start();
  }

  close(): void {
    this.#keeper.stop();
  }

  async #connect(database: Database): Promise<void> {
    const session = await database.session((error) => this.#keeper.lost(error));
    this.#session = session;
    await session.listen(this.settings.channel, (payload) => this.#hear(payload));
    await this.#check();
  }

  /** The lock belongs to the connection, so it is free as soon as that of its process has ended. */
  async #check(): Promise<void> {
    const session = this.#session;
    if (!session) return;
    if (this.#isTelling || monotonic(this.ports.clock) < this.#standsByUntil)
      return void (await session.query('SELECT 1'));
    const [row] = await session.query('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken', [
      `toolwright notifications ${this.settings.channel}`,
    ]);
    if (row?.['taken'] === true && session === this.#session) this.#takeOver();
    else this.#forget();
  }

  /** The process before may have passed some of these on. A client that hears of a change twice reads twice. */
  #takeOver(): void {
    this.#isTelling = true;
    for (const { payload } of this.#heard.splice(0)) this.#put(payload);
    if (this.#hasGap) this.#miss();
    this.#hasGap = false;
  }

  /** Another process has the lock. It has passed on everything that is older than two checks. */
  #forget(): void {
    this.#hasGap = false;
    const since = monotonic(this.ports.clock) - 2 * this.settings.checkInterval;
    this.#heard = this.#heard.filter(({ at }) => at >= since);
  }

  #hear(payload: string): void {
    if (this.#isTelling) return this.#put(payload);
    if (this.#heard.length >= MOST_KEPT) this.#heard.shift();
    this.#heard.push({ payload, at: monotonic(this.ports.clock) });
  }

  #put(payload: string): void {
    if (this.#waiting.size === 0 && !this.#hasMissed) setImmediate(() => this.#atBoot(() => this.#tellAll()));
    if (this.#waiting.size < MOST_KEPT) this.#waiting.add(payload);
    else this.#hasMissed = true;
  }

  #tellAll(): void {
    const payloads = [...this.#waiting];
    this.#waiting.clear();
    for (const payload of payloads) this.#safely(() => this.settings.tell(payload));
    if (this.#hasMissed) this.#miss();
    this.#hasMissed = false;
  }

  #miss(): void {
    this.#safely(() => this.settings.onMissed());
  }

  /** Logs a failure, so that a notification that cannot be read stops no other one. */
  #safely(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      const { channel } = this.settings;
      this.ports.logger.error({ channel, reason: reasonOf(error) }, 'A notification could not be published');
    }
  }

  #disconnect(): void {
    if (this.#session) {
      this.#hasGap = true;
      this.#standsByUntil = monotonic(this.ports.clock) + 2 * this.settings.checkInterval;
    }
    this.#isTelling = false;
    this.#session?.end();
    this.#session = undefined;
  }
}
