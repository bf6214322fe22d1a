import type { EventStore } from '../../ports/event-store.js';

/** Where a stream's messages go, as long as somebody is connected. */
export interface EventSink {
  write(text: string, eventId?: string): void;
  /** No more will come. */
  close(): void;
}

/** What streams of one session share. */
export interface StreamOwner {
  readonly sessionId: string;
  readonly store: EventStore | undefined;
  onStoreError(error: unknown): void;
}

/**
 * A stream of the older era that outlives its connection: what is sent is kept under an id, and whoever reconnects
 * gets what it missed and then the rest.
 */
export class EventStream {
  #sink: EventSink | undefined;
  #count = 0;
  #ended = false;

  constructor(
    readonly id: string,
    private readonly owner: StreamOwner,
  ) {}

  get connected(): boolean {
    return this.#sink !== undefined;
  }

  /** Event ids carry their stream's, so that a replay finds it. */
  static streamOf(eventId: string): string {
    return eventId.slice(0, Math.max(0, eventId.lastIndexOf('_')));
  }

  /** The newest connection gets what follows; an older one has been given up by its client. */
  attach(sink: EventSink): void {
    const older = this.#sink;
    this.#sink = sink;
    if (older && older !== sink) older.close();
    if (this.#ended) this.#close();
  }

  detach(sink: EventSink): void {
    if (this.#sink === sink) this.#sink = undefined;
  }

  /** An empty event that gives the client something to resume from (2025-11-25). */
  prime(): void {
    this.send('');
  }

  send(text: string): void {
    if (this.#ended) return;
    const { store, sessionId } = this.owner;
    if (!store) return this.#sink?.write(text);
    const id = `${this.id}_${this.#count++}`;
    try {
      Promise.resolve(store.append(sessionId, this.id, { id, text })).catch((error) =>
        this.owner.onStoreError(error),
      );
    } catch (error) {
      this.owner.onStoreError(error);
    }
    this.#sink?.write(text, id);
  }

  end(): void {
    this.#ended = true;
    this.#close();
  }

  #close(): void {
    this.#sink?.close();
    this.#sink = undefined;
  }
}
