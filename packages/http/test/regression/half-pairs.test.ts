import { boot } from '../../../core/test/support/booting.js';
import {
  addHalfPairs,
  expectWellFormed,
  HALF,
  halfPairRequests,
  WRITTEN,
} from '../../../core/test/support/half-pairs.js';
import { serveHttp, type HttpService } from '../../src/index.js';
import { LegacyClient } from '../support/legacy-client.js';
import { call, modern, send, type Json } from '../support/wire.js';

const OLDER = ['2025-11-25', '2025-06-18', '2025-03-26'];
const capabilities = { elicitation: {} };
let service: HttpService;
beforeAll(async () => {
  const server = await boot({ services: [], rateLimit: false });
  addHalfPairs(server);
  service = await serveHttp(server, { port: 0, signals: false });
});
afterAll(() => service.close());

const streamed = (params: Json) => ({ ...params, _meta: { progressToken: 1 } });

test.each(halfPairRequests)('%s %j leaves well formed as JSON and as a stream', async (method, params) => {
  const isNotice = params['name'] === 'progress' || params['name'] === 'log';
  const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' };
  for (const parts of [{}, { meta }]) {
    const { text } = await send(service.url, modern(method, { params, ...parts }));
    expectWellFormed(text);
    if (isNotice && 'meta' in parts) expect(text.split('cut \ufffd')).toHaveLength(3);
  }
  for (const revision of OLDER) {
    const client = await LegacyClient.connect(service.url, revision);
    expectWellFormed((await client.request(method, params)).text);
    expectWellFormed((await client.request(method, streamed(params))).text);
  }
});

test('the result of a task leaves well formed on 2025-11-25, too', async () => {
  const client = await LegacyClient.connect(service.url, '2025-11-25');
  const { json: begun } = await client.request('tools/call', { name: 'task', arguments: {}, task: {} });
  expectWellFormed((await client.request('tasks/result', { taskId: begun.result.task.taskId })).text);
});

test('a question leaves well formed', async () => {
  expectWellFormed((await send(service.url, call('ask', {}, { capabilities }))).text, WRITTEN);
  const client = await LegacyClient.connect(service.url, '2025-11-25', { capabilities: { elicitation: {} } });
  const stream = await client.streamed('tools/call', { name: 'ask', arguments: {} });
  let count = 0;
  for (;;) {
    const { message } = await stream.event(++count);
    if (message?.method !== 'elicitation/create') continue;
    await client.post({ jsonrpc: '2.0', id: message.id, result: { action: 'decline' } });
    break;
  }
  await stream.ended();
  expectWellFormed(stream.text);
});

test('what a client has sent does not come back ill formed', async () => {
  const client = await LegacyClient.connect(service.url, '2025-11-25');
  for (const method of ['tools/call', 'prompts/get']) {
    expectWellFormed((await client.request(method, { name: HALF, arguments: {} })).text);
  }
  expectWellFormed((await client.request('resources/read', { uri: `note://${HALF}` })).text);
  expectWellFormed((await client.request(HALF)).text);
});

test('a text that is too long is not cut in the middle of an emoji', async () => {
  const client = await LegacyClient.connect(service.url, '2025-11-25');
  const family = '👩🏽‍👩‍👧';
  const cut = /"message":"[^"]*?: (?:note:\/\/)?x*(?:👩🏽‍👩‍👧)+…/u;
  for (const shift of ['', 'x', 'xx', 'xxx']) {
    const name = shift + family.repeat(100);
    const asked = [
      client.request('tools/call', { name, arguments: {} }),
      client.request('prompts/get', { name }),
      client.request('resources/read', { uri: `note://${name}` }),
      client.request(name),
    ];
    for (const { text } of await Promise.all(asked)) expect(text).toMatch(cut);
  }
});

test('an id or a progress token that would come back as another one is refused', async () => {
  const client = await LegacyClient.connect(service.url, '2025-11-25');
  const { status, json } = await client.request('tools/list', {}, HALF);
  expect([status, json.error.code, json.id]).toEqual([400, -32600, undefined]);
  const token = await client.request('tools/list', { _meta: { progressToken: HALF } });
  expect(token.json.error.code).toBe(-32602);
});
