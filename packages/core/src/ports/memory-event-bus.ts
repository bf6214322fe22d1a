import type { EventBus, ServerEvent } from './event-bus.js';

/** Carries events within this process. */
export class MemoryEventBus implements EventBus {
  private readonly listeners = new Set<(event: ServerEvent) => void>();

  /** @throws {AggregateError} with the errors of the listeners, after all of them were called */
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
    // Each subscription gets its own wrapper. A function that subscribes twice is then called twice, and each
    // of the returned functions ends one subscription.
    const entry = (event: ServerEvent) => listener(event);
    this.listeners.add(entry);
    return () => void this.listeners.delete(entry);
  }
}
