import { keepNewest } from '@toolwright/json';
import { type OptionSchema, parseOptions } from '../base/options/option-schema.js';
import { count } from '../base/options/rules.js';

/** A message as it was sent on a stream. */
export interface StoredEvent {
  id: string;
  text: string;
  /** True for the mark at the end of a stream. Its text is empty; no message follows it. */
  last?: boolean;
}

/**
 * Keeps the messages that were sent to sessions of the older era, so that a client can resume a broken stream
 * with `Last-Event-ID`. Event ids are unique within their session. A replay contains only the stream that its
 * id belongs to.
 */
export interface EventStore {
  /** Keeps an event behind the events that were appended before. Nobody waits for the earlier ones. */
  append(session: string, stream: string, event: StoredEvent): void | Promise<void>;
  /** The events that followed `lastEventId` on its stream, oldest first. Empty when the event is unknown. */
  after(
    session: string,
    stream: string,
    lastEventId: string,
  ): readonly StoredEvent[] | Promise<readonly StoredEvent[]>;
  /** Forgets a session and its events. */
  drop(session: string): void | Promise<void>;
}

interface SessionEvents {
  events: (StoredEvent & { stream: string })[];
  bytes: number;
  /** The last event of each stream that is kept no longer. A client that has it has missed nothing of what is kept. */
  before: Map<string, string>;
}

export interface MemoryEventStoreOptions {
  /** How many events are kept for one session. Default 256. */
  maxEvents?: number;
  /** How many UTF-16 units the events of one session may have together, without the newest. Default 1 Mi. */
  maxBytes?: number;
  /**
   * How many UTF-16 units all events may have together. This limit exists because anybody can open sessions.
   * Default 64 Mi.
   */
  maxTotalBytes?: number;
}

const options = {
  maxEvents: { ...count, default: 256 },
  maxBytes: { ...count, default: 1_048_576 },
  maxTotalBytes: { ...count, default: 67_108_864 },
} satisfies OptionSchema<MemoryEventStoreOptions>;

/**
 * Keeps the events of this process. A session at its limit loses its oldest events. Its newest event does not count: an
 * answer that is larger than the limit still reaches a client that has lost its connection. At the total limit, the
 * session that was silent for longest loses its events.
 */
export class MemoryEventStore implements EventStore {
  /** The session that was silent for longest comes first. */
  readonly #sessions = new Map<string, SessionEvents>();
  readonly #limits: Required<MemoryEventStoreOptions>;
  #bytes = 0;

  constructor(given: MemoryEventStoreOptions = {}) {
    this.#limits = parseOptions('MemoryEventStore', options, given);
  }

  append(session: string, stream: string, event: StoredEvent): void {
    const { maxEvents, maxBytes, maxTotalBytes } = this.#limits;
    const kept: SessionEvents = this.#sessions.get(session) ?? { events: [], bytes: 0, before: new Map() };
    this.#sessions.delete(session);
    this.#sessions.set(session, kept);
    kept.events.push({ ...event, stream });
    this.#count(kept, event.text.length);
    while (kept.events.length > maxEvents || kept.bytes - event.text.length > maxBytes) {
      const { id, stream: itsStream, text } = kept.events.shift()!;
      this.#count(kept, -text.length);
      keepNewest(kept.before, itsStream, id, maxEvents);
    }
    for (const oldest of this.#sessions.keys()) {
      if (this.#bytes <= maxTotalBytes || oldest === session) break;
      this.drop(oldest);
    }
  }

  after(session: string, stream: string, lastEventId: string): readonly StoredEvent[] {
    const { events, before }: Partial<SessionEvents> = this.#sessions.get(session) ?? {};
    if (!events) return [];
    const at = events.findIndex((event) => event.id === lastEventId && event.stream === stream);
    if (at < 0 && before?.get(stream) !== lastEventId) return [];
    return events.slice(at + 1).filter((event) => event.stream === stream);
  }

  drop(session: string): void {
    this.#bytes -= this.#sessions.get(session)?.bytes ?? 0;
    this.#sessions.delete(session);
  }

  #count(kept: SessionEvents, bytes: number): void {
    kept.bytes += bytes;
    this.#bytes += bytes;
  }
}
