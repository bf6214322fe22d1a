import { after } from '../../base/maybe-promise.js';
import { Seal } from '../../base/seal.js';
import type { EventStore, StoredEvent } from '../../ports/event-store.js';

/**
 * Events in a store outside of the process. Their texts are sealed: they are messages to clients, and may
 * contain what is marked sensitive.
 */
export class SealedEventStore implements EventStore {
  readonly #seal: Seal;

  constructor(
    private readonly store: EventStore,
    secrets: readonly string[],
  ) {
    this.#seal = new Seal(secrets, 'session event');
  }

  append(session: string, stream: string, event: StoredEvent): void | Promise<void> {
    // Empty texts are sealed, too: the id of an event reaches the client, so nobody may make one up.
    const text = this.#seal.seal(event.text, contextOf(session, event));
    return this.store.append(session, stream, { ...event, text });
  }

  after(
    session: string,
    stream: string,
    lastEventId: string,
  ): readonly StoredEvent[] | Promise<readonly StoredEvent[]> {
    return after(
      () => this.store.after(session, stream, lastEventId),
      (events) => this.#open(session, events),
    );
  }

  drop(session: string): void | Promise<void> {
    return this.store.drop(session);
  }

  /** A replay has no hole: what comes before an event that nobody here has sealed is left out, too. */
  #open(session: string, events: readonly StoredEvent[]): readonly StoredEvent[] {
    let opened: StoredEvent[] = [];
    for (const event of events) {
      const text = this.#seal.open(event.text, contextOf(session, event));
      if (typeof text === 'string') opened.push({ ...event, text });
      else opened = [];
    }
    return opened;
  }
}

function contextOf(session: string, { id, last }: StoredEvent): string {
  return `${session} ${id}${last ? ' last' : ''}`;
}
