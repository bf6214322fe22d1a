import { writeJson } from '@toolwright/core/transport';
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import type { ConsoleEvent } from '../api/console-api.js';
import type { Hub } from '../hub/hub.js';

/** More than a person opens. The oldest ends when there is one more. */
const MAX_STREAMS = 20;

/** So that proxies do not end a stream on which nothing happens. */
const KEEP_ALIVE_MS = 25_000;

interface EventStreamsOptions {
  readonly hub: Hub;
  /** After this time a stream ends, and its page asks for a new one: whoever asks is then checked again. */
  readonly maxAgeMs?: number;
}

/** The streams of events of all pages. */
export class EventStreams {
  readonly #open = new Set<ServerResponse>();

  constructor(private readonly options: EventStreamsOptions) {}

  /** @param by the operator who listens, where the console knows the name */
  open(res: ServerResponse, by?: string): void {
    const { hub, maxAgeMs } = this.options;
    if (this.#open.size >= MAX_STREAMS) this.#open.values().next().value!.destroy();
    this.#open.add(res);
    // nginx would otherwise hold events back until its buffer is full.
    res.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    // A page tries again after a second when the server is gone, as it is while `dev` starts again.
    res.write('retry: 1000\n\n');
    const stream = new PageStream(res);
    const stop = hub.subscribe((event) => {
      if (event.type !== 'chat' || event.operator === by) stream.send(event);
    });
    const alive = setInterval(() => res.writableLength === 0 && res.write(':\n\n'), KEEP_ALIVE_MS).unref();
    const end = maxAgeMs === undefined ? undefined : setTimeout(() => res.end(), maxAgeMs).unref();
    res.once('close', () => {
      this.#open.delete(res);
      stop();
      clearInterval(alive);
      clearTimeout(end);
    });
  }

  get size(): number {
    return this.#open.size;
  }
}

interface EventStreamLimits {
  /** Bytes that may wait in the connection of a page, before events wait here. */
  readonly connectionBytes?: number;
  /** Bytes of events that may wait here, before the oldest are dropped. */
  readonly waitingBytes?: number;
}

/**
 * The events of one page. A page that reads more slowly than things happen costs a bounded amount of memory: it loses
 * the oldest events, and gets an event that says so.
 */
export class PageStream {
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

const textOf = (event: ConsoleEvent) => `data: ${writeJson(event)}\n\n`;
