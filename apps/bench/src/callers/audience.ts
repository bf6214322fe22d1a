import { Agent, type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { open } from '../protocol/exchange.js';
import { wireRequest, type Question } from '../protocol/request.js';

const PATIENCE_MS = 120_000;

/** Streams of `subscriptions/listen` that stay open, each on a connection of its own. */
export class Audience {
  readonly #agent = new Agent({ keepAlive: false });
  readonly #streams: IncomingMessage[] = [];
  #waiting: ((text: string) => void) | undefined;

  constructor(
    private readonly port: number,
    private readonly question: Question,
  ) {}

  /** Opens more. Resolves when the server has acknowledged all of them. */
  async grow(count: number, atOnce: number): Promise<void> {
    const first = this.#streams.length;
    const acknowledged = this.#expect('notifications/subscriptions/acknowledged', count);
    let next = first;
    const work = async () => {
      while (next < first + count) await this.#openOne(next++);
    };
    await Promise.all([acknowledged, ...Array.from({ length: atOnce }, work)]);
  }

  /** The milliseconds after which each stream has heard of what `change` changes. */
  async hear(what: string, change: () => Promise<unknown>): Promise<number[]> {
    const began = performance.now();
    const [heard] = await Promise.all([this.#expect(what, this.#streams.length), change()]);
    return heard.map((at) => at - began);
  }

  close(): void {
    for (const stream of this.#streams) stream.destroy();
    this.#agent.destroy();
  }

  async #openOne(index: number): Promise<void> {
    const wire = wireRequest(this.question, 1_000_000 + index, { dialect: 'modern' });
    const stream = await open(this.port, wire, this.#agent);
    if (stream.statusCode !== 200) throw new Error(`stream ${index}: status ${stream.statusCode}`);
    this.#streams.push(stream);
    stream.setEncoding('utf8').on('data', (text: string) => this.#waiting?.(text));
    // They are open when the server is stopped.
    stream.on('error', () => undefined);
  }

  #expect(what: string, count: number): Promise<number[]> {
    return new Promise((resolve, reject) => {
      const at: number[] = [];
      const timer = setTimeout(
        () => reject(new Error(`${what} has reached ${at.length} of ${count}`)),
        PATIENCE_MS,
      );
      this.#waiting = (text) => {
        for (let found = text.split(what).length - 1; found > 0; found--) at.push(performance.now());
        if (at.length < count) return;
        this.#waiting = undefined;
        clearTimeout(timer);
        resolve(at);
      };
    });
  }
}
