import type { EventBus, ServerEvent } from './event-bus.js';

/** Carries events within this process. */
export class MemoryEventBus implements EventBus {
  private readonly listeners = new Set<(event: ServerEvent) => void>();

  /** @throws {AggregateError} of what listeners threw, once all have heard */
  publish(event: ServerEvent): void {
    const errors: unknown[] = [];
    for (const listener of [...this.listeners]) {
      try {
        listener(event);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, `Listeners failed on ${event.type}.`);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    // A wrapper of its own, so that a function that subscribes twice is heard twice and ends one at a time.
    const entry = (event: ServerEvent) => listener(event);
    this.listeners.add(entry);
    return () => void this.listeners.delete(entry);
  }
}
