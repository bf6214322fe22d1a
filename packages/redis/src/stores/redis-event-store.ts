import type { EventStore, StoredEvent } from '@toolwright/core';
import type { Connection } from '../connection/connection.js';
import type { Keys } from '../keys.js';
import { appendEvent } from '../scripts/append-event.js';
import { lifetime } from './lifetime.js';

export interface EventBounds {
  readonly maxEvents: number;
  readonly maxEventBytes: number;
  readonly eventTtlMs: number;
}

/** An entry of a Redis stream: its id there, and its fields with their values. */
type Entry = [string, string[]];

/**
 * Keeps the events of a session in one Redis stream, which any process can replay. Events of a process arrive
 * in the order in which it appends them, because they go over one connection.
 */
export class RedisEventStore implements EventStore {
  /**
   * Sessions of which an event could not be stored. A replay across it would have a hole, so the next event
   * that is stored replaces all earlier ones. A session leaves this set then, or when it ends.
   */
  readonly #torn = new Set<string>();

  constructor(
    private readonly connection: Connection,
    private readonly keys: Keys,
    private readonly bounds: EventBounds,
  ) {}

  async append(session: string, stream: string, { id, text, last }: StoredEvent): Promise<void> {
    const { maxEvents, maxEventBytes, eventTtlMs } = this.bounds;
    const isTorn = this.#torn.delete(session);
    const event = [isTorn ? '1' : '0', stream, id, text, last ? '1' : '0'];
    const bounds = [String(maxEvents), String(maxEventBytes), lifetime(eventTtlMs)];
    try {
      await appendEvent.runInOrder(this.connection, this.keys.events(session), [...event, ...bounds]);
    } catch (error) {
      this.#torn.add(session);
      throw error;
    }
  }

  async after(session: string, stream: string, lastEventId: string): Promise<readonly StoredEvent[]> {
    const [name] = this.keys.events(session);
    const entries = (await this.connection.send(['XRANGE', name, '-', '+'], name)) as Entry[];
    const events = entries.map(readEntry).filter((event) => event.stream === stream);
    const at = events.findIndex(({ id }) => id === lastEventId);
    return at < 0 ? [] : events.slice(at + 1).map(({ event }) => event);
  }

  async drop(session: string): Promise<void> {
    this.#torn.delete(session);
    const names = this.keys.events(session);
    await this.connection.send(['DEL', ...names], names[0]);
  }
}

function readEntry([, [, stream, , id, , text, , last]]: Entry) {
  const event: StoredEvent = { id: id!, text: text!, ...(last === '1' && { last: true }) };
  return { stream: stream!, id: id!, event };
}
