import type { StoredEvent } from '@toolwright/core';

/** An event on its way to Redis. */
export interface OutgoingEvent extends StoredEvent {
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

/** What may wait: so many events, and so many UTF-16 units of them together. */
const MOST_EVENTS = 4_096;
const MOST_UNITS = 16_777_216;

/** The events that Redis could not take, in their order, until it can. */
export class EventOutbox {
  readonly #waiting: Waiting[] = [];
  #units = 0;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get first(): OutgoingEvent | undefined {
    return this.#waiting[0]?.event;
  }

  /**
   * Resolves when the event was stored.
   *
   * @returns undefined when there is no room for the event
   */
  add(event: OutgoingEvent): Promise<void> | undefined {
    const units = this.#units + event.text.length;
    if (this.#waiting.length >= MOST_EVENTS || units > MOST_UNITS) return undefined;
    this.#units = units;
    return new Promise((resolve, reject) => this.#waiting.push({ event, resolve, reject }));
  }

  /** The first event was stored. */
  shift(): void {
    const first = this.#waiting.shift();
    this.#units -= first?.event.text.length ?? 0;
    first?.resolve();
  }

  /** Nobody stores these events any more. */
  clear(error: unknown): void {
    this.#units = 0;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
