import type { EventBus, ServerEvent } from '@toolwright/core/ports';

/** Keeps the events of a bus, and waits for a number of them. */
export class HeardEvents {
  readonly all: ServerEvent[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(bus: EventBus) {
    bus.subscribe((event) => {
      this.all.push(event);
      for (const look of [...this.#waiting]) look();
    });
  }

  /** Resolves when so many events have come. */
  count(number: number): Promise<ServerEvent[]> {
    return this.#until(() => this.all.length >= number);
  }

  /** Resolves when such an event has come. */
  type(type: ServerEvent['type']): Promise<ServerEvent[]> {
    return this.#until(() => this.all.some((event) => event.type === type));
  }

  #until(isThere: () => boolean): Promise<ServerEvent[]> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isThere()) return;
        this.#waiting.delete(look);
        resolve(this.all);
      };
      this.#waiting.add(look);
      look();
    });
  }
}
