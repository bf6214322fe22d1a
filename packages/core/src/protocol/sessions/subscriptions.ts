import type { EventBus, ServerEvent } from '../../ports/event-bus.js';

/** Somebody who wants to hear of changes. */
export interface Subscriber {
  hear(event: ServerEvent): void;
  /** The server stops: say goodbye. */
  end(): void;
}

/** Hands each change to everybody who listens, over one subscription to the bus. */
export class Subscriptions {
  readonly #subscribers = new Set<Subscriber>();
  #unsubscribe: (() => void) | undefined;

  constructor(private readonly bus: EventBus) {}

  get size(): number {
    return this.#subscribers.size;
  }

  /** Returns the function that ends it, without a goodbye. */
  add(subscriber: Subscriber): () => void {
    this.#unsubscribe ??= this.bus.subscribe((event) => {
      for (const each of [...this.#subscribers]) each.hear(event);
    });
    this.#subscribers.add(subscriber);
    return () => this.#remove(subscriber);
  }

  endAll(): void {
    for (const subscriber of [...this.#subscribers]) {
      this.#remove(subscriber);
      subscriber.end();
    }
  }

  #remove(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }
}
