import type { Clock, ServerEvent } from '@toolwright/core/ports';
import type { DatabaseSession } from '../connect/database.js';
import { decodeEvent, decodeMessage } from './bus-message.js';

export interface InboxSettings {
  /** The name of this process on the bus. Its listeners have already heard the events that it sent itself. */
  readonly self: string;
  readonly schema: string;
  readonly clock: Clock;
  deliver(event: ServerEvent): void;
}

/** How many rows may wait to be fetched. What is beyond counts as missed: anybody who may connect can name rows. */
const MOST_ROWS = 200;
/** How many events may wait for the rows before them. */
const MOST_EVENTS = 10_000;
/** How many rows one statement fetches. */
const ROWS_AT_ONCE = 50;
/** The least time between two events that say that something was missed: all clients ask again after each of them. */
const MISSED_MS = 1_000;

const missed: ServerEvent = { type: 'eventsMissed' };

type Waiting = { readonly event: ServerEvent } | { readonly row: string };

/** Reads notifications, one after the other, so that an event whose row has to be fetched keeps its place. */
export class BusInbox {
  readonly #waiting: Waiting[] = [];
  #rows = 0;
  #isReading = false;
  /** Something was missed, and the listeners do not know it yet. */
  #hasMissed = false;
  #stopClock: (() => void) | undefined;

  constructor(
    private readonly session: DatabaseSession,
    private readonly settings: InboxSettings,
  ) {}

  receive(payload: string): void {
    const message = decodeMessage(payload);
    if (!message || message.from === this.settings.self) return;
    const { event, row } = message;
    if (event && !this.#isReading) return this.#deliver(event);
    const isFull = event ? this.#waiting.length >= MOST_EVENTS : this.#rows >= MOST_ROWS;
    if (isFull) return void (this.#hasMissed = true);
    if (!event) this.#rows += 1;
    this.#waiting.push(event ? { event } : { row: row! });
    if (!this.#isReading) void this.#readAll();
  }

  close(): void {
    this.#stopClock?.();
    this.#waiting.length = 0;
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      const events = await this.#fetch(batch.flatMap((each) => ('row' in each ? [each.row] : [])));
      for (const each of batch) {
        const event = 'event' in each ? each.event : decodeEvent(events.get(each.row));
        this.#deliver(event ?? missed);
      }
    }
    this.#isReading = false;
    if (this.#hasMissed) this.#deliver(missed);
  }

  /** The events up to the last row that is fetched now, and those right behind it. */
  #nextBatch(): Waiting[] {
    let rows = 0;
    const end = this.#waiting.findIndex((each) => 'row' in each && (rows += 1) > ROWS_AT_ONCE);
    const batch = this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
    this.#rows -= Math.min(rows, ROWS_AT_ONCE);
    return batch;
  }

  /** An event whose row cannot be read is one that was missed. */
  async #fetch(ids: readonly string[]): Promise<ReadonlyMap<unknown, string>> {
    if (ids.length === 0) return new Map();
    try {
      const rows = await this.session.query(
        `SELECT id::text, event FROM "${this.settings.schema}".events WHERE id = ANY($1)`,
        [ids],
      );
      return new Map(rows.map(({ id, event }) => [id, String(event)]));
    } catch {
      return new Map();
    }
  }

  #deliver(event: ServerEvent): void {
    if (event.type === 'eventsMissed') this.#tellMissed();
    else this.settings.deliver(event);
  }

  /** The changes that were missed within a second are reported once. */
  #tellMissed(): void {
    this.#hasMissed = true;
    if (this.#stopClock) return;
    this.#hasMissed = false;
    this.#stopClock = this.settings.clock.after(MISSED_MS, () => {
      this.#stopClock = undefined;
      if (this.#hasMissed) this.#tellMissed();
    });
    this.settings.deliver(missed);
  }
}
