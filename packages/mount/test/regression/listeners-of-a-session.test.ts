import { getEventListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitedFetch } from '../../src/upstream/limited-fetch.js';

/** Answers with an event, with JSON, with nothing, or with more than is allowed. */
const answers: Record<string, [status: number, type: string, body: string]> = {
  '/event': [200, 'text/event-stream', 'data: {}\n\n'],
  '/json': [200, 'application/json', '{}'],
  '/nothing': [202, 'text/plain', ''],
  '/long': [200, 'application/json', JSON.stringify('x'.repeat(5_000))],
};

describe('The signal of a session', () => {
  let http: Server;
  let base: string;
  beforeAll(async () => {
    http = createServer((request, response) => {
      const [status, type, body] = answers[request.url!]!;
      response.writeHead(status, { 'content-type': type }).end(body);
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });

  test.each(Object.keys(answers))('keeps no listener of a request that is over: %s', async (path) => {
    const { signal } = new AbortController();
    const fetch = limitedFetch({ bytes: 1_000, values: 1_000 });
    for (let count = 0; count < 20; count++)
      await fetch(base + path, { signal, method: 'POST' }).then((response) =>
        response.text().catch(() => undefined),
      );

    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('keeps none of a body that nobody reads to its end', async () => {
    const { signal } = new AbortController();
    const { body } = await limitedFetch({ bytes: 1_000, values: 1_000 })(`${base}/event`, { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await body!.cancel();

    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('still ends its requests', async () => {
    const session = new AbortController();
    const { body } = await limitedFetch({ bytes: 1_000, values: 1_000 })(`${base}/event`, {
      signal: session.signal,
    });
    session.abort(new Error('closed'));

    await expect(body!.getReader().read()).rejects.toThrow('closed');
  });
});
