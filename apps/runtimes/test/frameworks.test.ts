import type { McpServer } from '@toolwright/core';
import { createContactServer } from '../src/contact-server.js';
import { createHonoApp } from '../src/frameworks/hono-app.js';
import { DELETE, GET, POST } from '../src/frameworks/next-route.js';
import { fallback } from '../src/frameworks/sveltekit-endpoint.js';
import { read } from './support/ask.js';

const manifest = `${__dirname}/../mcp.manifest.json`;

function listing(url: string): Request {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return new Request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }),
  });
}

/** What `@hono/node-server` passes beside a request. */
const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });

describe('Hono', () => {
  let server: McpServer;
  beforeEach(async () => (server = await createContactServer({ manifest })));
  afterEach(() => server.close(0));

  test('has the endpoint beside its own routes', async () => {
    const app = createHonoApp(server);
    const { status, messages } = await read(
      await app.fetch(listing('http://localhost/mcp'), from('127.0.0.1')),
    );
    expect([status, messages[0].result.tools.length]).toEqual([200, 7]);
    expect(await (await app.request('/')).text()).toBe('contacts');
  });

  test('tells where a caller comes from, behind @hono/node-server', async () => {
    const app = createHonoApp(server);
    const ask = async (address: string) =>
      (await app.fetch(listing('http://localhost/mcp'), from(address))).status;
    expect([await ask('127.0.0.1'), await ask('192.0.2.1')]).toEqual([200, 403]);
  });
});

test('Next.js: the handler is exported as the functions of a route', async () => {
  const url = 'https://contacts.example/mcp';
  // The second argument is what Next.js passes to route handlers.
  const context = { params: Promise.resolve({}) };
  const { status, messages } = await read(await POST(listing(url), context));
  expect([status, messages[0].result.tools.length]).toEqual([200, 7]);
  const old = { 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': 'unknown' };
  expect((await GET(new Request(url, { headers: old }), context)).status).toBe(404);
  expect((await DELETE(new Request(url, { method: 'DELETE', headers: old }), context)).status).toBe(404);
});

test('SvelteKit: the event has the address of the caller', async () => {
  const event = (address: string) => ({
    request: listing('http://localhost/mcp'),
    getClientAddress: () => address,
  });
  expect((await fallback(event('127.0.0.1'))).status).toBe(200);
  expect((await fallback(event('192.0.2.1'))).status).toBe(403);
});
