/** A message as it was sent on a stream of a session. */
export interface KeptEvent {
  id: string;
  text: string;
  /** True for the mark at the end of a stream. */
  last?: boolean;
}

/** An event on its way to a store outside of the process. */
export interface OutgoingEvent extends KeptEvent {
  readonly session: string;
  readonly stream: string;
  /** True when an event before it was lost. */
  readonly replacesAll: boolean;
}

interface Waiting {
  readonly event: OutgoingEvent;
  resolve(): void;
  reject(error: unknown): void;
}

/** The largest number of waiting events, and of their UTF-16 units together. */
const MOST_EVENTS = 4_096;
const MOST_UNITS = 16_777_216;

/** The events that the store has not taken yet. Those of a session keep their order. */
export class EventOutbox {
  readonly #queues = new Map<string, Waiting[]>();
  #events = 0;
  #units = 0;

  /** The sessions of which events wait. */
  get sessions(): Iterable<string> {
    return this.#queues.keys();
  }

  holds(session: string): boolean {
    return this.#queues.has(session);
  }

  first(session: string): OutgoingEvent | undefined {
    return this.#queues.get(session)?.[0]?.event;
  }

  /**
   * Resolves when the event was stored.
   *
   * @returns undefined when there is no room for the event
   */
  add(event: OutgoingEvent): Promise<void> | undefined {
    const units = this.#units + event.text.length;
    if (this.#events >= MOST_EVENTS || units > MOST_UNITS) return undefined;
    this.#events++;
    this.#units = units;
    const queue = this.#queues.get(event.session) ?? [];
    this.#queues.set(event.session, queue);
    return new Promise((resolve, reject) => queue.push({ event, resolve, reject }));
  }

  /** The first event of the session was stored. */
  shift(session: string): void {
    const queue = this.#queues.get(session);
    const first = queue?.shift();
    if (queue?.length === 0) this.#queues.delete(session);
    if (!first) return;
    this.#events--;
    this.#units -= first.event.text.length;
    first.resolve();
  }

  /** Nobody stores these events any more. */
  clear(error: unknown): void {
    const all = [...this.#queues.values()].flat();
    this.#queues.clear();
    this.#events = this.#units = 0;
    for (const { reject } of all) reject(error);
  }
}
