import type { EventBus, ServerEvent } from '../../ports/event-bus.js';

/** A listener for changes. */
export interface Subscriber {
  hear(event: ServerEvent): void;
  /** Is called when the server stops, so that the listener can send its final result. */
  end(): void;
}

/** Passes each change to all listeners, through one subscription to the bus. */
export class Subscriptions {
  readonly #subscribers = new Set<Subscriber>();
  #unsubscribe: (() => void) | undefined;

  constructor(private readonly bus: EventBus) {}

  get size(): number {
    return this.#subscribers.size;
  }

  /** Adds a listener. The returned function removes it, without calling `end`. */
  add(subscriber: Subscriber): () => void {
    this.#unsubscribe ??= this.bus.subscribe((event) => {
      // There are many, each for one session, and every session listens here.
      if (event.type === 'sessionMessage') return;
      for (const each of [...this.#subscribers]) each.hear(event);
    });
    this.#subscribers.add(subscriber);
    return () => this.remove(subscriber);
  }

  endAll(): void {
    for (const subscriber of [...this.#subscribers]) {
      this.remove(subscriber);
      subscriber.end();
    }
  }

  /** Removes a listener, without calling its `end`. */
  remove(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }
}
