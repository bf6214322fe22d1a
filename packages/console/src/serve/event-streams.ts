import type { ServerResponse } from 'node:http';
import type { Hub } from '../hub/hub.js';
import { EventStream } from './event-stream.js';

/** More than a person opens. The oldest ends when there is one more. */
const MAX_STREAMS = 20;

/** So that proxies do not end a stream on which nothing happens. */
const KEEP_ALIVE_MS = 25_000;

export interface EventStreamsOptions {
  readonly hub: Hub;
  /** After this time a stream ends, and its page asks for a new one: whoever asks is then checked again. */
  readonly maxAgeMs?: number;
}

/** The streams of events of all pages. */
export class EventStreams {
  readonly #open = new Set<ServerResponse>();

  constructor(private readonly options: EventStreamsOptions) {}

  open(res: ServerResponse): void {
    const { hub, maxAgeMs } = this.options;
    if (this.#open.size >= MAX_STREAMS) this.#open.values().next().value!.destroy();
    this.#open.add(res);
    // nginx would otherwise hold events back until its buffer is full.
    res.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    res.write(':\n\n');
    const stream = new EventStream(res);
    const stop = hub.subscribe((event) => stream.send(event));
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
