import { once } from 'node:events';
import { type ClientHttp2Session, type Http2Server, connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { until } from '../../../.ci/test/support/until.js';
import { mcpHttp } from '../src/index.js';
import { createFixture, type Fixture } from './support/fixture.js';
import { call, modern, readEvents, type WireRequest } from './support/wire.js';

let fixture: Fixture;
let http: Http2Server;
let client: ClientHttp2Session;
beforeAll(async () => {
  fixture = await createFixture();
  // The request and the answer have the form that those of node:http have.
  http = createServer(mcpHttp(fixture.server) as never).listen(0, '127.0.0.1');
  await once(http, 'listening');
  client = connect(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
});
afterAll(async () => {
  client.close();
  await new Promise((resolve) => http.close(resolve));
  await fixture.server.close(0);
});

function open({ headers, body }: WireRequest, more: Record<string, string> = {}) {
  const stream = client.request({
    ':method': 'POST',
    ':path': '/mcp',
    'content-type': 'application/json',
    ...(headers as Record<string, string>),
    ...more,
  });
  stream.end(JSON.stringify(body));
  return stream;
}

async function send(request: WireRequest, more?: Record<string, string>) {
  const stream = open(request, more);
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return { status: headers[':status'], text };
}

test('a call over HTTP/2 is answered', async () => {
  const { status, text } = await send(call('echo', { text: 'grüße' }));
  expect([status, JSON.parse(text).result.content[0].text]).toEqual([200, 'grüße']);
});

test('a call with progress is answered as a stream', async () => {
  const { text } = await send(call('talk', {}, { meta: { progressToken: 1 } }));
  const messages = readEvents(text).map(({ message }) => message) as any[];
  expect(messages.map(({ method }) => method)).toContain('notifications/progress');
  expect(messages.at(-1).result.content[0].type).toBe('text');
});

test('a stream that the client resets cancels its call', async () => {
  const stream = open(call('hold', { gate: 'gone' }));
  stream.on('error', () => undefined);
  await until(() => fixture.gates.entered.includes('gone'));
  stream.close(8);
  await until(() => fixture.gates.aborted.includes('gone'));
});

test('a stream of changes ends with the client that opened it, and others go on', async () => {
  const filter = { notifications: { toolsListChanged: true } };
  const listening = open(modern('subscriptions/listen', { params: filter }));
  listening.on('error', () => undefined).resume();
  await once(listening, 'response');
  listening.close(8);
  await until(() => fixture.server.protocol.load.subscriptions === 0);
  fixture.server.tools.add({ name: 'later', description: 'Comes later.', handler: () => 'x' });
  expect((await send(modern('tools/list'))).text).toContain('later');
});

test('calls at the same time share the connection', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, id) => send(call('echo', { text: String(id) }, { id }))),
  );
  expect(answers.map(({ text }) => JSON.parse(text).result.content[0].text)).toEqual(
    Array.from({ length: 50 }, (_, id) => String(id)),
  );
});

test.each([
  ['of another name', { ':authority': 'evil.example' }, 'Host'],
  ['that differs from its Host', { ':authority': '127.0.0.1', host: 'localhost' }, 'one Host'],
])('an :authority %s is refused', async (_, more, words) => {
  const { status, text } = await send(modern('tools/list'), more);
  expect([status, text]).toEqual([403, expect.stringContaining(words)]);
});

test('a body that is too large is refused, and the connection goes on', async () => {
  const { status } = await send(call('echo', { text: 'x'.repeat(5_000_000) }));
  expect(status).toBe(413);
  expect((await send(modern('tools/list'))).status).toBe(200);
});
