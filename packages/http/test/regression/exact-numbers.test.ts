import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import type { McpServer } from '@toolwright/core';
import { serveStdio } from '../../../stdio/src/index.js';
import { seen } from '../../../core/test/fixtures/numbers/src/number-tools.js';
import {
  bootNumbers,
  refusedCalls,
  refusedRequests,
  takenCalls,
  withLiterals,
} from '../../../core/test/support/exact-numbers.js';
import { RecordingSink } from '../../../core/test/support/recording-sink.js';
import { mcpFetch, serveHttp, type HttpService } from '../../src/index.js';
import { initialize, LegacyClient } from '../support/legacy-client.js';
import { LiveStream } from '../support/live-stream.js';
import { call, modern, send, type Json, type WireRequest } from '../support/wire.js';

/** Sends a request whose body has literals, and gives its answer. */
type Way = (method: string, params: Json, id?: unknown) => Promise<any>;

const sink = new RecordingSink();
let server: McpServer;
let service: HttpService;
beforeAll(async () => {
  server = await bootNumbers({ audit: sink });
  service = await serveHttp(server, { port: 0, signals: false, sse: true });
});
afterAll(() => service.close());
beforeEach(() => void (seen.length = sink.records.length = 0));

const literal = (request: WireRequest): WireRequest => ({ ...request, body: withLiterals(request.body) });
const stateless = (method: string, { _meta, ...params }: Json, id: unknown = 1) =>
  literal(modern(method, { id, params, meta: _meta as Json }));

const overHttp = async (): Promise<Way> => async (method, params, id) =>
  (await send(service.url, stateless(method, params, id))).json;

const asStream = async (): Promise<Way> => async (method, params, id) => {
  const { headers, body } = stateless(method, params, id);
  const accepting = { ...headers, accept: 'text/event-stream' };
  const { json, events } = await send(service.url, { headers: accepting, body });
  return json ?? events.at(-1);
};

const overFetch = async (): Promise<Way> => {
  const handler = mcpFetch(server);
  return async (method, params, id) => {
    const { headers, body } = stateless(method, params, id);
    const sent = { 'content-type': 'application/json', ...(headers as Record<string, string>) };
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: sent,
      body: body as string,
    });
    return (await handler(request)).json();
  };
};

const onRevision = (revision: string) => async (): Promise<Way> => {
  const client = await LegacyClient.connect(service.url, revision);
  return async (method, params, id = 7) =>
    (await client.post(withLiterals({ jsonrpc: '2.0', id, method, params }))).json;
};

const overOldSse = async (): Promise<Way> => {
  const stream = await LiveStream.open(service.url, { method: 'GET' });
  streams.push(stream);
  const path = (await stream.event(1)).data;
  let count = 2;
  await send(service.url, { path, body: initialize('2024-11-05') });
  await stream.event(count);
  return async (method, params, id = 7) => {
    await send(service.url, { path, body: withLiterals({ jsonrpc: '2.0', id, method, params }) });
    return (await stream.event(++count)).message;
  };
};
const streams: LiveStream[] = [];
afterAll(() => streams.forEach((each) => each.close()));

const overStdio = (era: 'stateless' | 'stateful') => async (): Promise<Way> => {
  const input = new PassThrough();
  const output = new PassThrough();
  await serveStdio({ protocol: server.protocol }, { input, output, exit: false });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const ask = async (body: unknown): Promise<any> => {
    input.write(`${withLiterals(body)}\n`);
    return JSON.parse(((await lines.next()) as { value: string }).value);
  };
  if (era === 'stateful') await ask(initialize('2025-11-25'));
  return (method, params, id = 7) =>
    ask(
      era === 'stateful'
        ? { jsonrpc: '2.0', id, method, params }
        : modern(method, { id, params, meta: params['_meta'] as Json }).body,
    );
};

const inMemory = async (): Promise<Way> => {
  const answers = new PassThrough({ objectMode: true });
  const peer = { principal: undefined, ip: undefined, transport: 'memory' } as const;
  const connection = server.protocol.connect(peer, (text) => void answers.write(text));
  return async (method, params, id = 7) => {
    connection.receiveText(withLiterals(modern(method, { id, params, meta: params['_meta'] as Json }).body));
    const [text] = (await once(answers, 'data')) as [string];
    return JSON.parse(text);
  };
};

const ways: [string, () => Promise<Way>][] = [
  ['2026-07-28', overHttp],
  ['2026-07-28 as a stream', asStream],
  ['fetch', overFetch],
  ['2025-11-25', onRevision('2025-11-25')],
  ['2025-06-18', onRevision('2025-06-18')],
  ['2025-03-26', onRevision('2025-03-26')],
  ['HTTP+SSE', overOldSse],
  ['stdio', overStdio('stateless')],
  ['stdio with a session', overStdio('stateful')],
  ['memory', inMemory],
];

describe.each(ways)('over %s', (_name, open) => {
  test('a tool never gets another number than its caller has sent', async () => {
    const ask = await open();
    for (const [name, args, place] of refusedCalls) {
      const { result } = await ask('tools/call', { name, arguments: args });
      expect([name, args, result]).toEqual([name, args, expect.objectContaining({ isError: true })]);
      expect(result.content[0].text).toContain(`\n- ${place}: `);
      expect(result.content[0].text).toContain('Send it as a string.');
      expect(result.content[0].text).not.toMatch(/900719925474099[^3]/);
    }
    expect(seen).toEqual([]);
  });

  test('what a double or a bigint holds arrives digit for digit', async () => {
    const ask = await open();
    for (const [name, args, got] of takenCalls) {
      const { result } = await ask('tools/call', { name, arguments: args });
      expect([name, args, result?.content[0].text]).toEqual([name, args, got]);
    }
    const { result } = await ask('tools/call', { name: 'give', arguments: {} });
    const given = { id: '9007199254740993', others: ['-9007199254740993', 7] };
    expect(JSON.parse(result.content[0].text)).toEqual(given);
  });

  test('elsewhere in a message it is an error that names the place', async () => {
    const ask = await open();
    for (const [method, params, place] of refusedRequests) {
      const { error } = await ask(method, params);
      expect([method, error]).toEqual([
        method,
        { code: -32602, message: expect.stringContaining(`"${place}"`) },
      ]);
      expect(error.message).toContain('Send it as a string.');
    }
    expect(seen).toEqual([]);
    for (const id of ['@9007199254740993', '@9007199254740994', '@-1e400', '@1e16']) {
      const answer = await ask('tools/list', {}, id);
      expect([id, answer]).toEqual([id, { jsonrpc: '2.0', id: null, error: expect.anything() }]);
      expect(answer.error.code).toBe(-32600);
    }
  });

  test('texts of digits are numbers only where a double holds them', async () => {
    const ask = await open();
    const words = (args: Json) => ask('prompts/get', { name: 'words', arguments: args });
    const taken = await words({ id: '9007199254740991', ids: '[1]', big: '9007199254740993' });
    expect(taken.result.messages[0].content.text).toBe('[9007199254740991,[1],"9007199254740993n"]');
    for (const [id, ids] of [
      ['9007199254740993', '[1]'],
      ['1', '[9007199254740993]'],
      ['1', '1,9007199254740993'],
    ]) {
      const { error } = await words({ id, ids, big: '1' });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('9007199254740993') });
    }
    expect((await ask('resources/read', { uri: 'row://1610521604143693812' })).error.code).toBe(-32602);
    const big = await ask('resources/read', { uri: 'big://1610521604143693812' });
    expect(big.result.contents[0].text).toBe('"1610521604143693812n"');
    expect(seen).toHaveLength(2);
  });
});

test('the audit log has the digits of what was refused and of what ran', async () => {
  const ask = await overHttp();
  await ask('tools/call', { name: 'row', arguments: { id: '@9007199254740993' } });
  await ask('tools/call', { name: 'big', arguments: { id: '@9007199254740993' } });
  const recorded = sink.records.map(({ event }) => [event.name, event.outcome, event.arguments]);
  expect(recorded).toEqual([
    ['row', 'invalid', { id: '9007199254740993' }],
    ['big', 'ok', { id: '9007199254740993' }],
  ]);
});

test('a batch refuses only the messages that have such numbers', async () => {
  const client = await LegacyClient.connect(service.url, '2025-03-26');
  const row = (id: number, value: unknown) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'row', arguments: { id: value } },
  });
  const bad = { jsonrpc: '2.0', id: 3, method: 'ping', params: { a: '@9007199254740993' } };
  const { json } = await client.post(withLiterals([row(1, 5), row(2, '@9007199254740993'), bad]));
  const kinds = json.map((each: any) => [each.id, each.error?.code ?? each.result.isError ?? false]);
  expect(kinds.sort()).toEqual([
    [1, false],
    [2, true],
    [3, -32602],
  ]);
  expect(seen).toEqual(['5']);
});

test('a number in the arguments of a hidden tool does not show that it exists', async () => {
  const args = withLiterals(call('nothing', { id: '@9007199254740993' }).body);
  const { json } = await send(service.url, { ...call('nothing'), body: args });
  expect(json.error).toMatchObject({ code: -32602, message: expect.stringContaining('nothing') });
});
