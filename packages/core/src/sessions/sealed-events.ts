import type { EventStore, StoredEvent } from '@toolwright/ground/ports/event-store';
import type { Logger } from '@toolwright/ground/ports/logger';
import { after, Seal } from '@toolwright/json';
import { EventStream } from './event-stream.js';

/**
 * Events in a store outside of the process. Their texts are sealed: they are messages to clients, and may
 * contain what is marked sensitive.
 */
export class SealedEventStore implements EventStore {
  readonly #seal: Seal;

  constructor(
    private readonly store: EventStore,
    secrets: readonly string[],
    logger?: Logger,
  ) {
    this.#seal = new Seal(secrets, 'session event', { logger });
  }

  append(session: string, stream: string, event: StoredEvent): void | Promise<void> {
    // Empty texts are sealed, too: the id of an event reaches the client, so nobody may make one up.
    const text = this.#seal.seal(event.text, contextOf(session, stream, event));
    return this.store.append(session, stream, { ...event, text });
  }

  after(
    session: string,
    stream: string,
    lastEventId: string,
  ): readonly StoredEvent[] | Promise<readonly StoredEvent[]> {
    return after(
      () => this.store.after(session, stream, lastEventId),
      (events) => this.#open(session, stream, events),
    );
  }

  drop(session: string): void | Promise<void> {
    return this.store.drop(session);
  }

  /** A replay has no hole: what comes before an event that nobody here has sealed is left out, too. */
  #open(session: string, stream: string, events: readonly StoredEvent[]): readonly StoredEvent[] {
    let opened: StoredEvent[] = [];
    for (const event of events) {
      const text =
        this.#seal.open(event.text, contextOf(session, stream, event)) ??
        this.#openOlder(session, stream, event);
      if (typeof text === 'string') opened.push({ ...event, text });
      else opened = [];
    }
    return opened;
  }

  /** Earlier releases name the stream in the id of the event only. Such events live for minutes. */
  #openOlder(session: string, stream: string, { id, text, last }: StoredEvent): unknown {
    if (EventStream.streamOf(id) !== stream) return undefined;
    return this.#seal.open(text, `${session} ${id}${last ? ' last' : ''}`);
  }
}

/** The stream is named, so an event counts only for its own stream, whatever the store says. */
function contextOf(session: string, stream: string, { id, last }: StoredEvent): string {
  return JSON.stringify([session, stream, id, last === true]);
}
