import { request, type ClientRequest } from 'node:http';
import { readEvents, type WireEvent, type WireRequest } from './wire.js';

/** A response that stays open: its events as they come. */
export class LiveStream {
  #text = '';
  #ended = false;
  #wake: (() => void)[] = [];
  status = 0;

  private constructor(private readonly req: ClientRequest) {}

  static open(url: string, { method = 'POST', path, headers = {}, body }: WireRequest): Promise<LiveStream> {
    return new Promise((resolve, reject) => {
      const sent = { 'content-type': 'application/json', accept: 'text/event-stream', ...headers };
      const req = request(
        new URL(path ?? url, url),
        { method, headers: sent as Record<string, string> },
        (res) => {
          stream.status = res.statusCode!;
          res.setEncoding('utf8');
          res.on('data', (chunk: string) => stream.#add(chunk));
          res.on('close', () => stream.#end());
          res.on('error', () => stream.#end());
          resolve(stream);
        },
      );
      const stream = new LiveStream(req);
      req.on('error', reject);
      req.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  get text(): string {
    return this.#text;
  }

  /** Complete events so far. */
  get events(): WireEvent[] {
    return readEvents(this.#text.slice(0, this.#text.lastIndexOf('\n\n') + 2));
  }

  /** Waits until there are `count` events and gives the last of them. */
  async event(count: number): Promise<WireEvent> {
    while (this.events.length < count) {
      if (this.#ended) throw new Error(`The stream ended after: ${this.#text}`);
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
    return this.events[count - 1]!;
  }

  /** Waits for the event that has this text. */
  async eventWith(text: string): Promise<void> {
    for (;;) {
      const at = this.#text.indexOf(text);
      if (at >= 0 && this.#text.includes('\n\n', at)) return;
      if (this.#ended) throw new Error(`The stream ended after: ${this.#text}`);
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  async ended(): Promise<void> {
    while (!this.#ended) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  close(): void {
    this.req.destroy();
  }

  #add(chunk: string): void {
    this.#text += chunk;
    this.#notify();
  }

  #end(): void {
    this.#ended = true;
    this.#notify();
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
