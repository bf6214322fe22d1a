import type { Writable } from 'node:stream';
import type { ConsoleEvent } from '../api/events.js';

export interface EventStreamLimits {
  /** Bytes that may wait in the connection of a page, before events wait here. */
  readonly connectionBytes?: number;
  /** Bytes of events that may wait here, before the oldest are dropped. */
  readonly waitingBytes?: number;
}

/**
 * The events of one page. A page that reads more slowly than things happen costs a bounded amount of memory: it loses
 * the oldest events, and is told so.
 */
export class EventStream {
  readonly #limits: Required<EventStreamLimits>;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #hasLost = false;

  constructor(
    private readonly output: Writable,
    { connectionBytes = 1_048_576, waitingBytes = 4_194_304 }: EventStreamLimits = {},
  ) {
    this.#limits = { connectionBytes, waitingBytes };
    output.on('drain', () => this.#flush());
  }

  send(event: ConsoleEvent): void {
    const text = textOf(event);
    if (this.#waiting.length === 0 && !this.#isFull()) return void this.output.write(text);
    this.#waiting.push(text);
    this.#waitingBytes += text.length;
    while (this.#waitingBytes > this.#limits.waitingBytes) this.#drop();
  }

  #drop(): void {
    this.#waitingBytes -= this.#waiting.shift()!.length;
    this.#hasLost = true;
  }

  #flush(): void {
    if (this.#hasLost) this.output.write(textOf({ type: 'lost' }));
    this.#hasLost = false;
    while (this.#waiting.length > 0 && !this.#isFull()) {
      const text = this.#waiting.shift()!;
      this.#waitingBytes -= text.length;
      this.output.write(text);
    }
  }

  #isFull(): boolean {
    return this.output.writableLength >= this.#limits.connectionBytes;
  }
}

const textOf = (event: ConsoleEvent) => `data: ${JSON.stringify(event)}\n\n`;
