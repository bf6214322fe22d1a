import type { OptionSchema } from '../base/options/option-schema.js';
import { parseOptions } from '../base/options/parse-options.js';
import { count } from '../base/options/rules.js';

/** A message as it was sent on a stream. */
export interface StoredEvent {
  id: string;
  text: string;
}

/**
 * Keeps what was sent to sessions of the older era, so that a broken stream can be resumed with `Last-Event-ID`. Event
 * ids are unique in their session; a replay never leaves the stream that its id belongs to.
 */
export interface EventStore {
  append(session: string, stream: string, event: StoredEvent): void | Promise<void>;
  /** What followed `lastEventId` on the stream, oldest first; nothing when the event is unknown. */
  after(
    session: string,
    stream: string,
    lastEventId: string,
  ): readonly StoredEvent[] | Promise<readonly StoredEvent[]>;
  /** Forgets a session. */
  drop(session: string): void | Promise<void>;
}

interface SessionEvents {
  events: (StoredEvent & { stream: string })[];
  bytes: number;
}

export interface MemoryEventStoreOptions {
  /** Events of one session. Default 256. */
  maxEvents?: number;
  /** UTF-16 units of one session's events. Default 1 Mi. */
  maxBytes?: number;
  /** UTF-16 units of all events: anybody can open sessions. Default 64 Mi. */
  maxTotalBytes?: number;
}

const options = {
  maxEvents: { ...count, default: 256 },
  maxBytes: { ...count, default: 1_048_576 },
  maxTotalBytes: { ...count, default: 67_108_864 },
} satisfies OptionSchema<MemoryEventStoreOptions>;

/** Events of this process. Older ones of a session give way, and beyond the total those of the longest silent session. */
export class MemoryEventStore implements EventStore {
  /** The longest silent first. */
  readonly #sessions = new Map<string, SessionEvents>();
  readonly #limits: Required<MemoryEventStoreOptions>;
  #bytes = 0;

  constructor(given: MemoryEventStoreOptions = {}) {
    this.#limits = parseOptions('MemoryEventStore', options, given);
  }

  append(session: string, stream: string, { id, text }: StoredEvent): void {
    const { maxEvents, maxBytes, maxTotalBytes } = this.#limits;
    const kept = this.#sessions.get(session) ?? { events: [], bytes: 0 };
    this.#sessions.delete(session);
    this.#sessions.set(session, kept);
    kept.events.push({ id, text, stream });
    this.#count(kept, text.length);
    while (kept.events.length > maxEvents || (kept.bytes > maxBytes && kept.events.length > 1)) {
      this.#count(kept, -kept.events.shift()!.text.length);
    }
    for (const oldest of this.#sessions.keys()) {
      if (this.#bytes <= maxTotalBytes || oldest === session) break;
      this.drop(oldest);
    }
  }

  after(session: string, stream: string, lastEventId: string): readonly StoredEvent[] {
    const events = this.#sessions.get(session)?.events ?? [];
    const at = events.findIndex((event) => event.id === lastEventId && event.stream === stream);
    return at < 0 ? [] : events.slice(at + 1).filter((event) => event.stream === stream);
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
