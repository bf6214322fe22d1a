import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MemoryClaimStore, type ClaimStore } from '@toolwright/core/ports';
import { mcpHttp } from '../../src/index.js';
import { createFixture } from '../support/fixture.js';
import { ManualClock } from '@toolwright/testing';

const clock = new ManualClock();
const clientInfo = { name: 'client', version: '1' };
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
};

const listening: Server[] = [];
afterEach(() => {
  for (const server of listening.splice(0)) server.close().closeAllConnections();
});

/** A process, and what becomes of the streams that clients want from it. */
async function start(claims: ClaimStore) {
  const { server } = await createFixture({ ports: { clock }, stores: { claims }, secrets: ['s'.repeat(32)] });
  const handler = mcpHttp(server);
  let gone = () => {};
  const isGone = new Promise<void>((resolve) => (gone = resolve));
  const http = createServer((req, res) => {
    if (req.method === 'GET') res.once('close', () => gone());
    void handler(req, res);
  });
  listening.push(http);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return { server, isGone, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` };
}

test.each<Record<string, string>>([{}, { 'Last-Event-ID': 'standalone_x-0' }])(
  'A client that has gone before its session was resumed keeps nothing busy: %j',
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
    const client = new AbortController();
    const headers = { Accept: 'text/event-stream', 'Mcp-Session-Id': id, ...more };
    const stream = fetch(two.url, { headers, signal: client.signal }).catch(() => 'gone');
    await isAsked;
    client.abort();
    await two.isGone;
    const resumed = two.server.protocol.resumeSession(id, {
      principal: undefined,
      ip: '127.0.0.1',
      transport: 'http',
    });
    answer();
    expect([await stream, await resumed]).toEqual(['gone', expect.objectContaining({ id })]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(two.server.protocol.findSession(id, undefined)?.busy).toBe(false);
  },
);
