import { Writable } from 'node:stream';
import type { ConsoleEvent } from '../src/api/console-api.js';
import { PageStream } from '../src/serve/event-streams.js';
import { DevPage } from './support/dev-page.js';

/** A connection whose other end reads only when told to. */
class SlowPage extends Writable {
  #text = '';
  #wake: (() => void) | undefined;
  reads = false;

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#text += chunk.toString();
    if (this.reads) done();
    else this.#wake = done;
  }

  async catchUp(): Promise<ConsoleEvent[]> {
    this.reads = true;
    const drained = new Promise((resolve) => this.once('drain', resolve));
    this.#wake!();
    await drained;
    await new Promise((resolve) => setImmediate(resolve));
    return this.#text
      .split('\n\n')
      .flatMap((block) => (block ? [JSON.parse(block.slice('data: '.length)) as ConsoleEvent] : []));
  }
}

const event = (server: number): ConsoleEvent => ({
  type: 'surface',
  server: String(server).padStart(6, '0'),
});
const size = `data: ${JSON.stringify(event(0))}\n\n`.length;

describe('a page that reads too slowly', () => {
  it('loses the oldest events that wait, and is told so before the next', async () => {
    const page = new SlowPage({ highWaterMark: 1 });
    const stream = new PageStream(page, { connectionBytes: 10 * size, waitingBytes: 20 * size });
    for (let number = 0; number < 1_000; number++) stream.send(event(number));
    expect(page.writableLength).toBe(10 * size);
    const events = await page.catchUp();
    const heard = [...Array(10).keys()].map(event);
    const kept = [...Array(20).keys()].map((each) => event(980 + each));
    expect(events).toEqual([...heard, { type: 'lost' }, ...kept]);
    stream.send(event(1_000));
    expect(page.writableLength).toBe(0);
  });

  it('loses nothing while everything fits', async () => {
    const page = new SlowPage({ highWaterMark: 1 });
    const stream = new PageStream(page, { connectionBytes: 2 * size, waitingBytes: 20 * size });
    for (let number = 0; number < 12; number++) stream.send(event(number));
    expect(await page.catchUp()).toEqual([...Array(12).keys()].map(event));
  });
});

describe('streams of events', () => {
  it('are at most twenty; the oldest ends', async () => {
    const page = await DevPage.open();
    const headers = { cookie: page.cookie.split(';')[0]! };
    const url = new URL('api/events', page.home);
    const stop = new AbortController();
    const open = () => fetch(url, { headers, signal: stop.signal });
    const first = await open();
    for (let number = 1; number < 20; number++) await open();
    const reader = first.body!.getReader();
    await reader.read();
    await open();
    await expect(
      reader.read().then(({ done }) => done || Promise.reject(new Error('goes on'))),
    ).rejects.toThrow('terminated');
    stop.abort();
    await page.close();
  });
});
