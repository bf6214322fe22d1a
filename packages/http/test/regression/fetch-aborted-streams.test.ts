import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { mcpFetch } from '../../src/index.js';
import { createFixture } from '../support/fixture.js';
import { initialize } from '../support/legacy-client.js';
import { call, type WireRequest } from '../support/wire.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** `new Request` listens to the signal that it gets. Here, the platform aborts the signal of the request itself. */
function asRequest({ headers, body }: WireRequest, signal: AbortSignal): Request {
  const sent = { 'content-type': 'application/json', ...(headers as Record<string, string>) };
  const init = { method: 'POST', headers: sent, body: JSON.stringify(body), signal };
  return new Request('http://localhost/mcp', init);
}

/** A server with a tool that reports, and waits until its caller has gone. */
async function start() {
  const lines: { level: string; fields: Record<string, unknown>; message: string }[] = [];
  const log = (level: string) => (fields: unknown, message?: string) =>
    void lines.push({ level, fields: fields as Record<string, unknown>, message: String(message) });
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  const { server } = await createFixture({ logger });
  let stopped = () => {};
  const isStopped = new Promise<void>((resolve) => (stopped = resolve));
  server.tools.add({
    name: 'watch',
    description: 'Reports, and waits.',
    handler: async (_args, context) => {
      context.progress(1, 2, 'waiting');
      await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
      stopped();
    },
  });
  const handler = mcpFetch(server, { allowedHosts: ['localhost', '127.0.0.1'] });
  lines.splice(0);
  return { server, handler, lines, isStopped };
}

const watching = call('watch', {}, { meta: { progressToken: 'p' } });
const platform = () => new Error('the body has ended');

const rejections: unknown[] = [];
const note = (reason: unknown) => void rejections.push(reason);
/** What a test leaves behind, also when it fails. */
const endings: (() => void)[] = [];
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(async () => {
  for (const end of endings.splice(0)) end();
  await turn();
  process.off('unhandledRejection', note);
  expect(rejections.splice(0)).toEqual([]);
});

const once = [
  {
    level: 'warn',
    fields: { cause: 'Error: the body has ended' },
    message: expect.stringContaining('signal'),
  },
];

test('a stream whose request the platform aborts is told once with the cause, and ends without an error', async () => {
  const { server, handler, lines, isStopped } = await start();
  const request = new AbortController();
  const { body } = await handler(asRequest(watching, request.signal));
  let text = '';
  // A platform that does not catch what its pipe throws.
  const piped = body!.pipeTo(
    new WritableStream({ write: (part) => void (text += Buffer.from(part).toString()) }),
  );
  while (text === '') await turn();
  request.abort(platform());
  await isStopped;
  await piped;
  expect(text).toContain('waiting');
  expect(lines).toEqual(once);
  await server.close(0);
});

test.each([
  ['a stream', watching],
  ['JSON', call('hold', { gate: 'a' })],
])('a request that was aborted as soon as its body was read is told once: %s', async (_kind, sent) => {
  const { server, handler, lines } = await start();
  const request = new AbortController();
  const asked = asRequest(sent, request.signal);
  const answer = handler(asked);
  request.abort(platform());
  await (await answer).text();
  await turn();
  expect(lines).toEqual(once);
  await server.close(0);
});

test('an answer of an older client is told once, too, where it is a stream', async () => {
  const { server, handler, lines } = await start();
  const { signal } = new AbortController();
  const opened = await handler(asRequest({ body: initialize('2025-11-25') }, signal));
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
    'mcp-session-id': opened.headers.get('mcp-session-id')!,
  };
  const params = { name: 'talk', arguments: {}, _meta: { progressToken: 'p' } };
  const request = new AbortController();
  const body = { jsonrpc: '2.0', id: 2, method: 'tools/call', params };
  const answer = handler(asRequest({ headers, body }, request.signal));
  lines.splice(0);
  request.abort(platform());
  await (await answer).text();
  await turn();
  expect(lines).toEqual(once);
  await server.close(0);
});

test('a request for a stream is answered where its signal was aborted before', async () => {
  const { server, handler } = await start();
  const { signal } = new AbortController();
  const opened = await handler(asRequest({ body: initialize('2025-11-25') }, signal));
  const headers = {
    accept: 'text/event-stream',
    'mcp-protocol-version': '2025-11-25',
    'mcp-session-id': opened.headers.get('mcp-session-id')!,
  };
  const response = await handler(
    new Request('http://localhost/mcp', { headers, signal: AbortSignal.abort() }),
  );
  expect(response.status).toBe(499);
  await server.close(0);
});

describe('a client that leaves is no line in the log', () => {
  test.each(['before the body is cancelled', 'after it', 'not at all'])(
    'the signal tells it %s',
    async (when) => {
      const { server, handler, lines, isStopped } = await start();
      const request = new AbortController();
      const { body } = await handler(asRequest(watching, request.signal));
      const reader = body!.getReader();
      await reader.read();
      const rest = reader.read();
      if (when === 'before the body is cancelled') request.abort(platform());
      await reader.cancel();
      if (when === 'after it') request.abort(platform());
      expect((await rest).done).toBe(true);
      await isStopped;
      await turn();
      await turn();
      expect(lines).toEqual([]);
      await server.close(0);
    },
  );

  test('behind @hono/node-server, which prints what a stream throws', async () => {
    const { server, handler, lines, isStopped } = await start();
    const print = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const listener = getRequestListener(handler);
    let gone = () => {};
    const isGone = new Promise<void>((resolve) => (gone = resolve));
    const http = createServer((req, res) => {
      res.once('close', () => gone());
      void listener(req, res);
    });
    endings.push(() => {
      print.mockRestore();
      http.close().closeAllConnections();
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as AddressInfo;
    const client = new AbortController();
    const { headers, body } = watching;
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
      body: JSON.stringify(body),
      signal: client.signal,
    });
    await response.body!.getReader().read();
    client.abort();
    await Promise.all([isStopped, isGone]);
    await turn();
    await turn();
    expect([print.mock.calls, lines]).toEqual([[], []]);
    await server.close(0);
  });
});
