import '../../../search/src/index.js';
import type { McpServer, ToolContext } from '@toolwright/core';
import { boot } from '../../../core/test/support/booting.js';
import { withLiterals } from '../../../core/test/support/exact-numbers.js';
import { serveHttp, type HttpService } from '../../src/index.js';
import { LegacyClient } from '../support/legacy-client.js';
import { call, modern, send, type Json, type WireRequest } from '../support/wire.js';

const NUMBER = '@9007199254740993';
const seen: unknown[] = [];
const integer = { type: 'integer' } as const;
const object = (properties: object) => ({ type: 'object', properties }) as never;
const capabilities = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };

let server: McpServer;
let service: HttpService;
beforeAll(async () => {
  server = await boot({ services: [], rateLimit: false, toolSearch: { above: 100_000 } } as never);
  const see = (value: unknown) => {
    seen.push(value);
    return String(value);
  };
  const rest = { description: 'Reads a row.', inputSchema: object({ id: integer }) };
  const row = ({ id }: Json) => see(id);
  server.tools.add({ name: 'row', ...rest, handler: row });
  server.tools.add({ name: 'task', ...rest, task: 'optional', handler: row });
  server.tools.add({
    name: 'any',
    description: 'Takes anything.',
    inputSchema: object({ id: {} }),
    handler: row,
  });
  server.tools.add({
    name: 'header',
    description: 'Mirrors its row.',
    inputSchema: object({ id: { ...integer, 'x-mcp-header': 'Row' } }),
    handler: row,
  });
  server.tools.add({
    name: 'ask',
    description: 'Asks for a row.',
    inputSchema: object({}),
    handler: async (_: Json, { elicit }: ToolContext) => {
      const answer = await elicit('row', { message: 'Which row?', schema: object({ id: integer }) });
      return see(JSON.stringify(answer));
    },
  });
  service = await serveHttp(server, { port: 0, signals: false });
});
afterAll(() => service.close());
beforeEach(() => void (seen.length = 0));

const ask = async ({ headers, body }: WireRequest) =>
  send(service.url, { headers, body: withLiterals(body) });
const textOf = (json: any) => [json.result.isError === true, json.result.content[0].text] as const;
const refused = [true, expect.stringContaining('- id: a number does not hold all digits')];

test.each([
  ['9007199254740993', NUMBER, 'refused'],
  ['9007199254740992', NUMBER, -32020],
  ['9007199254740993', '@9007199254740992', -32020],
  ['9007199254740993', '@9007199254740994', -32020],
  [`1${'0'.repeat(400)}`, '@9007199254740994', -32020],
  ['9007199254740992', '@9007199254740992', 'taken'],
  ['9007199254740991', '@9007199254740991', 'taken'],
])('a header that says %s beside %s in the body is %s', async (header, id, expected) => {
  const headers = { 'mcp-param-row': header };
  const { json } = await ask(call('header', { id }, { headers }));
  const { error } = json;
  if (typeof expected === 'number') expect(error?.code).toBe(expected);
  else if (expected === 'refused') expect(textOf(json)).toEqual(refused);
  else expect(seen.map(String)).toEqual([id.slice(1)]);
  if (expected !== 'taken') expect(seen).toEqual([]);
});

test('a call through call_tool is refused as one of the tool, with its own places', async () => {
  for (const name of ['row', 'any']) {
    const { json } = await ask(call('call_tool', { name, arguments: { id: NUMBER } }));
    expect(textOf(json)).toEqual(refused);
  }
  expect(textOf((await ask(call('call_tool', { name: 'row', arguments: { id: 5 } }))).json)).toEqual([
    false,
    '5',
  ]);
  const { json } = await ask(call('call_tool', { name: 'row', arguments: { id: 5 }, other: NUMBER }));
  expect(json.result.content[0].text).toContain('- other: a number does not hold');
  expect(seen).toEqual([5]);
});

test('a call that becomes a task is refused before it is one', async () => {
  expect(textOf((await ask(call('task', { id: NUMBER }, { capabilities }))).json)).toEqual(refused);
  const client = await LegacyClient.connect(service.url, '2025-11-25');
  const params = { name: 'task', arguments: { id: NUMBER }, task: {} };
  const { json } = await client.post(withLiterals({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  const taskId = json.result?.task?.taskId as string | undefined;
  const settled = taskId ? (await client.request('tasks/result', { taskId })).json : json;
  expect(textOf(settled)).toEqual(refused);
  expect(seen).toEqual([]);
});

test('the answer of a later round is refused, and the round can be sent again', async () => {
  const { json } = await ask(call('ask', {}, { capabilities }));
  const { requestState } = json.result;
  const answer = (id: unknown) => ({ row: { action: 'accept', content: { id } } });
  const again = (id: unknown) =>
    ask(call('ask', {}, { capabilities, params: { requestState, inputResponses: answer(id) } }));
  const { json: wrong } = await again(NUMBER);
  expect(wrong.error).toMatchObject({ code: -32602, message: expect.stringContaining('content.id') });
  expect((await again(5)).json.result.isError).toBeFalsy();
  expect(seen).toEqual([expect.stringContaining('5')]);
});

test('a client that answers a question with such a number hears of it, and so does the tool', async () => {
  const client = await LegacyClient.connect(service.url, '2025-11-25', { capabilities: { elicitation: {} } });
  const stream = await client.streamed('tools/call', { name: 'ask', arguments: {} });
  for (let count = 1; ; count++) {
    const { message } = await stream.event(count);
    if (message?.method === 'elicitation/create')
      await client.post(
        withLiterals({
          jsonrpc: '2.0',
          id: message.id,
          result: { action: 'accept', content: { id: NUMBER } },
        }),
      );
    if (message?.result === undefined) continue;
    expect(message.result.isError).toBe(true);
    break;
  }
  expect(seen).toEqual([]);
  stream.close();
});

test('a notification with such a number is refused and changes nothing', async () => {
  const { status, json } = await ask({
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'notifications/cancelled' },
    body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: NUMBER } },
  });
  expect([status, json.error.code]).toEqual([400, -32602]);
});
