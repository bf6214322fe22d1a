import type { EventStore } from '../../ports/event-store.js';

/** Where the messages of a stream go while a client is connected. */
export interface EventSink {
  write(text: string, eventId?: string): void;
  /** Ends the sink. No more messages follow. */
  close(): void;
}

/** What all streams of a session share. */
export interface StreamOwner {
  readonly sessionId: string;
  readonly store: EventStore | undefined;
  onStoreError(error: unknown): void;
}

/**
 * A stream of the older era that outlives its connection. Each message is kept under an id. A client that
 * reconnects gets the messages that it missed, and then the new ones.
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

  /** An event id contains the id of its stream, so that a replay finds the stream. */
  static streamOf(eventId: string): string {
    return eventId.slice(0, Math.max(0, eventId.lastIndexOf('_')));
  }

  /**
   * Connects a client. The newest connection gets all further messages; the client has given up any older
   * one.
   */
  attach(sink: EventSink): void {
    const older = this.#sink;
    this.#sink = sink;
    if (older && older !== sink) older.close();
    if (this.#ended) this.#close();
  }

  detach(sink: EventSink): void {
    if (this.#sink === sink) this.#sink = undefined;
  }

  /** Sends an empty event, so that the client has an id from which it can resume (2025-11-25). */
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
