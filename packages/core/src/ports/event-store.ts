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

/** Events of this process, at most `maxBytes` (UTF-16 units) and `maxEvents` for each session; older ones give way. */
export class MemoryEventStore implements EventStore {
  readonly #sessions = new Map<string, SessionEvents>();

  constructor(
    private readonly maxEvents = 256,
    private readonly maxBytes = 1_048_576,
  ) {}

  append(session: string, stream: string, { id, text }: StoredEvent): void {
    let kept = this.#sessions.get(session);
    if (!kept) this.#sessions.set(session, (kept = { events: [], bytes: 0 }));
    kept.events.push({ id, text, stream });
    kept.bytes += text.length;
    while (kept.events.length > this.maxEvents || (kept.bytes > this.maxBytes && kept.events.length > 1)) {
      kept.bytes -= kept.events.shift()!.text.length;
    }
  }

  after(session: string, stream: string, lastEventId: string): readonly StoredEvent[] {
    const events = this.#sessions.get(session)?.events ?? [];
    const at = events.findIndex((event) => event.id === lastEventId && event.stream === stream);
    return at < 0 ? [] : events.slice(at + 1).filter((event) => event.stream === stream);
  }

  drop(session: string): void {
    this.#sessions.delete(session);
  }
}
