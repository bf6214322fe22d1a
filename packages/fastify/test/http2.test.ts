import fastify from 'fastify';
import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { until } from '../../../.ci/test/support/until.js';
import { createFixture, type Fixture } from '../../http/test/support/fixture.js';
import { call, type WireRequest } from '../../http/test/support/wire.js';
import { mcpFastify } from '../src/index.js';

const app = fastify({ http2: true });
let fixture: Fixture;
let client: ClientHttp2Session;
beforeAll(async () => {
  fixture = await createFixture();
  await app.register(mcpFastify as never, { server: fixture.server } as never);
  client = connect(await app.listen({ port: 0, host: '127.0.0.1' }));
});
afterAll(async () => {
  client.close();
  await app.close();
  await fixture.server.close(0);
});

function open({ headers, body }: WireRequest): ClientHttp2Stream {
  const stream = client.request({
    ':method': 'POST',
    ':path': '/mcp',
    'content-type': 'application/json',
    ...(headers as Record<string, string>),
  });
  stream.end(JSON.stringify(body));
  return stream;
}

test('a call over HTTP/2, which names its host as :authority, is answered', async () => {
  const stream = open(call('echo', { text: 'grüße' }));
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  expect([headers[':status'], JSON.parse(text).result.content[0].text]).toEqual([200, 'grüße']);
});

test('a stream that the client resets cancels its call', async () => {
  const stream = open(call('hold', { gate: 'gone' }));
  stream.on('error', () => undefined);
  await until(() => fixture.gates.entered.includes('gone'));
  stream.close(8);
  await until(() => fixture.gates.aborted.includes('gone'));
});
