import type { EventBus, ServerEvent } from './event-bus.js';

/** Carries events within this process. */
export class MemoryEventBus implements EventBus {
  private readonly listeners = new Set<(event: ServerEvent) => void>();

  publish(event: ServerEvent): void {
    for (const listener of [...this.listeners]) listener(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    // A wrapper of its own, so that a function that subscribes twice is heard twice and ends one at a time.
    const entry = (event: ServerEvent) => listener(event);
    this.listeners.add(entry);
    return () => void this.listeners.delete(entry);
  }
}
