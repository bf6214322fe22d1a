import { type EventBus, MemoryEventBus, type ServerEvent } from '@toolwright/core/ports';

/** A bus that remembers what was published, and loses it on demand, as a broken connection does. */
export class RecordedBus implements EventBus {
  readonly published: ServerEvent[] = [];
  /** How many of the next events are lost. */
  losesNext = 0;
  readonly #bus = new MemoryEventBus();

  publish(event: ServerEvent): void {
    this.published.push(event);
    if (this.losesNext > 0) this.losesNext -= 1;
    else this.#bus.publish(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    return this.#bus.subscribe(listener);
  }

  /** Forgets what was published before. @returns the list of what comes from now on */
  fromNow(): readonly ServerEvent[] {
    this.published.length = 0;
    return this.published;
  }
}
