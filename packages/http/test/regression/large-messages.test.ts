import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { serveHttp, type HttpService } from '../../src/index.js';
import { createFixture } from '../support/fixture.js';
import { initialize, LegacyClient } from '../support/legacy-client.js';
import { LiveStream } from '../support/live-stream.js';
import { call, readEvents, send, type WireRequest } from '../support/wire.js';

const MEBIBYTE = 1_048_576;
const sizes = [0.5, 1.5, 8].map((size) => size * MEBIBYTE);
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
let service: HttpService;
let url: string;
const lost: object[] = [];
beforeAll(async () => {
  const keep = (fields: object) => void lost.push(fields);
  const { server } = await createFixture({ logger: { debug() {}, info() {}, warn: keep, error: keep } });
  server.tools.add({
    name: 'large',
    description: 'Answers at length, after progress.',
    inputSchema: { type: 'object', properties: { bytes: { type: 'integer' } } },
    handler: ({ bytes }, context) => {
      context.progress(1, 2);
      return 'é'.repeat((bytes as number) / 2);
    },
  });
  server.tools.add({
    name: 'lines',
    description: 'Logs many short lines in one turn.',
    handler: (_args, context) => {
      for (let line = 1; line <= 12_000; line++) context.log.error(`line ${line}`);
      return 'said';
    },
  });
  service = await serveHttp(server, { port: 0, signals: false, sse: true });
  ({ url } = service);
});
afterAll(() => service.close());
afterEach(() => expect(lost.splice(0)).toEqual([]));

const large = (bytes: number, meta = { progressToken: 1 }) => call('large', { bytes }, { meta });
const lengthOf = (answer: any) => Buffer.byteLength(answer.result.content[0].text);

test.each(sizes)(
  'a message of %d bytes arrives as JSON and as a stream, whatever the revision is',
  async (bytes) => {
    expect(lengthOf((await send(url, call('large', { bytes }))).json)).toBe(bytes);
    expect(lengthOf((await send(url, large(bytes))).events.at(-1))).toBe(bytes);
    for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26']) {
      const client = await LegacyClient.connect(url, revision);
      expect(lengthOf((await client.call('large', { bytes })).json)).toBe(bytes);
      const { events } = await client.call('large', { bytes }, { progressToken: 1 });
      expect(lengthOf(events.at(-1))).toBe(bytes);
    }
  },
);

test('a client of HTTP+SSE gets them, too, and its stream goes on', async () => {
  const stream = await LiveStream.open(url, { method: 'GET' });
  const path = (await stream.event(1)).data;
  const post = (body: object) => send(url, { path, body });
  await post(initialize('2024-11-05'));
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  let events = (await stream.event(2)) && 2;
  for (const bytes of sizes) {
    const params = { name: 'large', arguments: { bytes }, _meta: { progressToken: 1 } };
    await post({ jsonrpc: '2.0', id: bytes, method: 'tools/call', params });
    expect(lengthOf((await stream.event((events += 2))).message)).toBe(bytes);
  }
  stream.close();
});

test('many short messages that are written in one turn all arrive', async () => {
  const { events } = await send(url, call('lines', {}, { meta: { [LOG_LEVEL]: 'info' } }));
  expect(events).toHaveLength(12_001);
  expect(events.at(-1).result.content[0].text).toBe('said');
});

/** Sends a request, and hands over its answer before anything of it is read. */
async function unread({ headers, body }: WireRequest): Promise<IncomingMessage> {
  const sent = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
    ...headers,
  };
  const req = request(url, { method: 'POST', headers: sent as Record<string, string>, agent: false });
  req.end(JSON.stringify(body));
  const [response] = (await once(req, 'response')) as [IncomingMessage];
  return response;
}

test('a client that reads slowly gets all of it', async () => {
  const response = await unread(large(8 * MEBIBYTE));
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    for (let turns = 0; turns < 20; turns++) await turn();
  }
  expect(lengthOf(readEvents(Buffer.concat(chunks).toString()).at(-1)!.message)).toBe(8 * MEBIBYTE);
});
