import { MemoryEventBus, type EventBus, type Logger, type ServerEvent } from '@toolwright/core';
import type { PrimaryLink } from './primary-link.js';

/** Carries events between the workers. Listeners of this one get its own events at once. */
export class SharedBus implements EventBus {
  readonly #local = new MemoryEventBus();
  /** Is set when the server has booted. */
  logger: Logger | undefined;

  constructor(private readonly link: PrimaryLink) {
    link.on('event', (event) => this.#deliver(event));
  }

  publish(event: ServerEvent): void {
    this.link.post(['publish', event]);
    this.#local.publish(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    return this.#local.subscribe(listener);
  }

  /** Nobody waits for an event of another worker, so its errors go to the log. */
  #deliver(event: ServerEvent): void {
    try {
      this.#local.publish(event);
    } catch (err) {
      this.logger?.error({ err }, 'A listener of the event bus failed');
    }
  }
}
