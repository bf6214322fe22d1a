import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { ServerEvent } from '@toolwright/core/ports';
import type { DatabaseSession } from '../connect/database.js';
import { encodeEvent, encodeRow, MOST_BYTES } from './bus-message.js';

/** How many events may wait for the ones before them. */
const MOST_WAITING = 1_000;
/** How long a row with a large event is kept. A process that has not fetched it by then has lost its connection. */
const ROW_MS = 60_000;

export interface OutboxSettings {
  readonly self: string;
  readonly schema: string;
  readonly channel: string;
}

/**
 * Sends events in their order, as many at a time as have come together. What cannot be sent is not kept: when Postgres
 * is back, the others hear that they have missed something.
 */
export class BusOutbox {
  #session: DatabaseSession | undefined;
  #waiting: ServerEvent[] = [];
  #hasLost = false;
  #sent = 0;
  #sending: Promise<void> | undefined;
  /** What is sent together comes from several requests, so it is sent in the context of none. */
  readonly #atBoot = AsyncLocalStorage.snapshot();

  constructor(private readonly settings: OutboxSettings) {}

  /** From now on events go to this connection; to none when it is `undefined`. */
  use(session: DatabaseSession | undefined): void {
    this.#session = session;
    if (!session) this.#drop();
    this.#start();
  }

  send(event: ServerEvent): void {
    if (!this.#session || this.#waiting.length >= MOST_WAITING) this.#hasLost = true;
    else this.#waiting.push(event);
    this.#start();
  }

  /** Resolves when everything is sent, or cannot be. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  #start(): void {
    if (this.#session && this.#hasSomething) this.#sending ??= this.#atBoot(() => this.#sendAll());
  }

  get #hasSomething(): boolean {
    return this.#hasLost || this.#waiting.length > 0;
  }

  async #sendAll(): Promise<void> {
    for (let session = this.#session; session && this.#hasSomething; session = this.#session) {
      const batch = this.#waiting.splice(0);
      if (this.#hasLost) batch.push({ type: 'eventsMissed' });
      this.#hasLost = false;
      try {
        await this.#notify(session, batch);
      } catch {
        this.#hasLost = true;
        // A connection that is lost tells so itself. Where it is not, the same would be refused again.
        if (session === this.#session) break;
      }
    }
    // Not in a `finally` of the caller: an event that comes in between would stay behind.
    this.#sending = undefined;
  }

  async #notify(session: DatabaseSession, events: readonly ServerEvent[]): Promise<void> {
    const { self, schema, channel } = this.settings;
    const rows: { id: string; event: string }[] = [];
    const payloads = events.map((event) => {
      const payload = encodeEvent(self, this.#sent++, event);
      if (Buffer.byteLength(payload) <= MOST_BYTES) return payload;
      const id = randomUUID();
      rows.push({ id, event: JSON.stringify(event) });
      return encodeRow(self, this.#sent++, id);
    });
    if (rows.length === 0) {
      await session.query(NOTIFY, [channel, JSON.stringify(payloads)]);
      return;
    }
    // One statement: nobody hears of a row that is not there yet.
    await session.query(
      `WITH stored AS (
         INSERT INTO "${schema}".events (id, event, expires_at)
         SELECT id, event, clock_timestamp() + ${ROW_MS} * interval '1 millisecond'
         FROM json_to_recordset($3::json) AS sent(id text, event text)
       ) ${NOTIFY}`,
      [channel, JSON.stringify(payloads), JSON.stringify(rows)],
    );
  }

  #drop(): void {
    if (this.#waiting.splice(0).length > 0) this.#hasLost = true;
  }
}

const NOTIFY = 'SELECT pg_notify($1, payload) FROM json_array_elements_text($2::json) AS payload';
