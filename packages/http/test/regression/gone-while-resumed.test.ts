import { MemoryClaimStore, MemoryEventBus, type ClaimStore } from '@toolwright/core';
import { serveHttp, type HttpService } from '../../src/index.js';
import { createFixture } from '../support/fixture.js';
import { ManualClock } from '../support/manual-clock.js';

const secrets = ['s'.repeat(32)];
const clock = new ManualClock();
const initialize = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'client', version: '1' } },
};

const services: HttpService[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
});

async function start(claims: ClaimStore) {
  const fixture = await createFixture({
    ...{ clock, bus: new MemoryEventBus(), requestState: { claims } },
    sessions: { secrets },
  });
  const service = await serveHttp(fixture.server, { port: 0, signals: false });
  services.push(service);
  return { server: fixture.server, url: service.url };
}

test.each([{}, { 'Last-Event-ID': 'standalone_x-0' }])(
  'A stream whose client has gone while its session was being resumed keeps nothing: %j',
  async (more) => {
    const claims = new MemoryClaimStore(clock);
    let asked = () => {};
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    const late: ClaimStore = {
      claim: (...args) => claims.claim(...args),
      release: (key) => claims.release(key),
      has: async (key) => {
        asked();
        await isAnswered;
        return claims.has(key);
      },
    };
    const [one, two] = [await start(claims), await start(late)];
    const opened = await fetch(one.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify(initialize),
    });
    const id = opened.headers.get('mcp-session-id')!;
    const gone = new AbortController();
    const headers = { Accept: 'text/event-stream', 'Mcp-Session-Id': id, ...more };
    const stream = fetch(two.url, { headers, signal: gone.signal });
    await isAsked;
    gone.abort();
    await expect(stream).rejects.toThrow('aborted');
    await connectionsClosed(services.at(-1)!);
    answer();
    let session = two.server.protocol.findSession(id, undefined);
    while (!session) {
      await new Promise((resolve) => setImmediate(resolve));
      session = two.server.protocol.findSession(id, undefined);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(session.busy).toBe(false);
  },
);

/** Resolves when the server has noticed that its client is gone. */
async function connectionsClosed({ server }: HttpService): Promise<void> {
  const count = () => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)));
  while ((await count()) > 0) await new Promise((resolve) => setImmediate(resolve));
}
