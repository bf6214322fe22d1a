import type { Outage } from '@toolwright/ground/call/limits/timed-store';
import type { Clock } from '@toolwright/ground/ports/clock-and-ids';
import type { EventStore, StoredEvent } from '@toolwright/ground/ports/event-store';
import { isPromise } from '@toolwright/json';
import type { SessionMessage } from './session-peers.js';

/** Where the messages of a stream go while a client is connected. */
export interface EventSink {
  /** True while much of what was written waits for the client. */
  readonly isBehind?: boolean | undefined;
  write(text: string, eventId?: string): void;
  /** Ends the sink. No more messages follow. */
  close(): void;
}

/** What all streams of a session share. */
export interface StreamOwner {
  /** The key of the session in stores. */
  readonly key: string;
  readonly store: EventStore | undefined;
  /** Notices when the store stops and starts to answer. */
  readonly outage: Outage;
  readonly clock: Clock;
  /** Tells the other processes that serve the session. `undefined`: no other process can. */
  readonly tell?: ((message: SessionMessage) => void) | undefined;
}

/**
 * A stream of the older era that outlives its connection. Each message is kept under an id. A client that
 * reconnects gets the messages that it missed, and then the new ones.
 */
export class EventStream {
  #sink: EventSink | undefined;
  #count = 0;
  #ended = false;
  /** True while another process serves the client of this stream. */
  isFollowed = false;
  /** Resolves when everything that was sent so far is stored. A store may finish an event before an earlier one. */
  stored: Promise<unknown> | undefined;

  /**
   * @param origin tells the events of this process apart, where several processes write to one stream in turn.
   *   Such a stream has no end.
   */
  constructor(
    readonly id: string,
    private readonly owner: StreamOwner,
    private readonly origin = '',
  ) {}

  get connected(): boolean {
    return this.#sink !== undefined;
  }

  get isBehind(): boolean {
    return this.#sink?.isBehind === true;
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
    this.isFollowed = false;
    if (older && older !== sink) older.close();
    if (this.#ended) this.#close();
  }

  detach(sink: EventSink): void {
    if (this.#sink === sink) this.#sink = undefined;
  }

  /** Another process serves the client from now on. It hears of everything that is stored. */
  async giveAway(): Promise<void> {
    this.#close();
    this.isFollowed = true;
    await this.stored;
    this.#tellGrown();
  }

  /** Sends an empty event, so that the client has an id from which it can resume (2025-11-25). */
  prime(): void {
    this.send('');
  }

  send(text: string): void {
    if (this.#ended) return;
    if (!this.owner.store) return this.#sink?.write(text);
    const id = this.#nextId();
    this.#keep({ id, text });
    this.#sink?.write(text, id);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    // Another process cannot see that the stream has ended, so the store says it.
    if (this.owner.tell && !this.origin) this.#keep({ id: this.#nextId(), text: '', last: true });
    this.#close();
  }

  #nextId(): string {
    return `${this.id}_${this.origin}${this.#count++}`;
  }

  #keep(event: StoredEvent): void {
    const { store, key, outage } = this.owner;
    try {
      const stored = store?.append(key, this.id, event);
      if (!isPromise(stored)) return this.#tell();
      const settled = stored.then(
        () => outage.answered(),
        (error: unknown) => outage.failed(error),
      );
      this.stored = Promise.all([this.stored, settled]).then(() => this.#tell());
    } catch (error) {
      outage.failed(error);
    }
  }

  #tell(): void {
    if (this.isFollowed) this.#tellGrown();
  }

  #tellGrown(): void {
    this.owner.tell?.({ kind: 'grown', stream: this.id });
  }

  #close(): void {
    this.#sink?.close();
    this.#sink = undefined;
  }
}

interface Sent {
  readonly text: string;
  readonly eventId: string | undefined;
}

/**
 * A client that resumes a stream. First it gets the stored events that it missed. What the stream sends
 * meanwhile is held back until then, so that no event is lost, doubled or out of order.
 */
export class ReplayingSink implements EventSink {
  #missed: Sent[] = [];
  #held: Sent[] | undefined = [];
  #isClosing = false;

  /**
   * @param merge sends equal messages once. This is for the stream for changes: while it moves from one process
   *   to another, both may have stored the same change, and one message tells the client all that two would
   */
  constructor(
    private readonly sink: EventSink,
    private readonly merge = false,
  ) {}

  get isBehind(): boolean {
    return this.sink.isBehind === true;
  }

  /** Takes the events that the client missed. */
  replay(missed: readonly StoredEvent[]): void {
    for (const { id, text, last } of missed) if (!last) this.#missed.push({ text, eventId: id });
  }

  /** Sends what was missed, then what was held back, and from now on everything at once. */
  open(): void {
    const known = new Set(this.#missed.map(({ eventId }) => eventId));
    const held = this.#held?.filter(({ eventId }) => eventId === undefined || !known.has(eventId)) ?? [];
    const all = [...this.#missed, ...held];
    this.#held = undefined;
    this.#missed = [];
    for (const { text, eventId } of this.merge ? lastOfEach(all) : all) this.sink.write(text, eventId);
    if (this.#isClosing) this.sink.close();
  }

  write(text: string, eventId?: string): void {
    if (this.#held) this.#held.push({ text, eventId });
    else this.sink.write(text, eventId);
  }

  close(): void {
    if (this.#held) this.#isClosing = true;
    else this.sink.close();
  }
}

/** The last one is kept, so that the client resumes behind all of them the next time. */
function lastOfEach(events: readonly Sent[]): Iterable<Sent> {
  const byText = new Map<string, Sent>();
  for (const event of events) {
    byText.delete(event.text);
    byText.set(event.text, event);
  }
  return byText.values();
}
