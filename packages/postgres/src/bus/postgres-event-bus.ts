import { MemoryEventBus, type EventBus, type ServerEvent } from '@toolwright/core';
import type { BusLine } from './bus-line.js';

/**
 * Carries events between processes. The listeners of this process hear its own events at once, whether or not Postgres
 * answers. Those of the other processes hear them through the line.
 */
export class PostgresEventBus implements EventBus {
  readonly #local = new MemoryEventBus();
  #line: BusLine | undefined;

  use(line: BusLine): void {
    this.#line = line;
  }

  publish(event: ServerEvent): void {
    this.#line?.send(event);
    this.#local.publish(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    return this.#local.subscribe(listener);
  }

  /** Takes an event of another process. */
  receive(event: ServerEvent): void {
    this.#local.publish(event);
  }
}
