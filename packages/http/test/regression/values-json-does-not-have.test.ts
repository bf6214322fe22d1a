import { PassThrough } from 'node:stream';
import { ProtocolError, ToolError, type McpServer } from '@toolwright/core';
import { boot } from '../../../core/test/support/booting.js';
import { serveStdio } from '../../../stdio/src/index.js';
import { serveHttp, type HttpService } from '../../src/index.js';
import { initialize, LegacyClient } from '../support/legacy-client.js';
import { LiveStream } from '../support/live-stream.js';
import { readEventsStrictly } from '../support/strict-reader.js';
import { modern, send } from '../support/wire.js';

const circular: Record<string, unknown> = {};
circular['self'] = circular;

/** What each tool answers, and the log message before it, if there is one. */
const expected: Record<string, { answer: object; log?: unknown }> = {
  'log a bigint': { answer: { content: [{ type: 'text', text: 'done' }] }, log: { id: 5 } },
  'log nothing': { answer: { content: [{ type: 'text', text: 'done' }] }, log: null },
  'log a circle': { answer: { content: [{ type: 'text', text: 'done' }] } },
  'meta of a failure': {
    answer: {
      content: [{ type: 'text', text: 'No row.' }],
      isError: true,
      _meta: { 'x/id': '9007199254740993' },
    },
  },
  'meta of a failure in a circle': {
    answer: { content: [{ type: 'text', text: 'No row.' }], isError: true },
  },
  'data of an error': { answer: { code: -32050, message: 'No row.', data: { id: 5 } } },
  'code that is no integer': { answer: { code: -32603, message: 'No row.' } },
  'data that fails': { answer: { code: -32050, message: 'No row.' } },
  'error of a promise': { answer: { code: -32050, message: 'No row.', data: { id: 5 } } },
  'data of an error in a circle': { answer: { code: -32050, message: 'No row.' } },
  'meta of a result': { answer: { content: [{ type: 'text', text: 'x' }], _meta: { 'x/id': 5 } } },
  'meta of a failed result': {
    answer: { content: [{ type: 'text', text: 'x' }], isError: true, _meta: { 'x/id': 5 } },
  },
  'meta of a block': { answer: { content: [{ type: 'text', text: 'x', _meta: { 'x/at': { a: 1 } } }] } },
};

const logged: unknown[] = [];
const logger = { debug() {}, info() {}, warn: note, error: note };
function note(_fields: object, message: string): void {
  logged.push(message);
}

async function serverOfAll(): Promise<McpServer> {
  const server = await boot({ services: [], rateLimit: false, logger });
  const add = (name: string, handler: Parameters<typeof server.tools.add>[0]['handler']) =>
    server.tools.add({ name: name.replace(/ /g, '_'), description: 'Does it.', handler });
  const content = [{ type: 'text' as const, text: 'x' }];
  const line =
    (data: unknown) =>
    (_args: unknown, { log }: Parameters<Parameters<typeof add>[1]>[1]) => {
      log.info(data);
      return 'done';
    };
  const failing = (error: Error) => () => {
    throw error;
  };
  add('log a bigint', line({ id: 5n }));
  add('log nothing', line(undefined));
  add('log a circle', line(circular));
  add('meta of a failure', failing(new ToolError('No row.', { meta: { 'x/id': 9007199254740993n } })));
  add('meta of a failure in a circle', failing(new ToolError('No row.', { meta: circular })));
  add('data of an error', failing(new ProtocolError(-32050, 'No row.', { id: 5n })));
  add('code that is no integer', failing(new ProtocolError(1.5, 'No row.')));
  const fails = {
    toJSON() {
      throw new Error('A relation is not loaded.');
    },
  };
  add('data that fails', failing(new ProtocolError(-32050, 'No row.', fails)));
  add('error of a promise', () => Promise.reject(new ProtocolError(-32050, 'No row.', { id: 5n })));
  add('data of an error in a circle', failing(new ProtocolError(-32050, 'No row.', circular)));
  add('meta of a result', () => ({ content, _meta: { 'x/id': 5n } }));
  add('meta of a failed result', () => ({ content, isError: true, _meta: { 'x/id': 5n } }));
  add('meta of a block', () => ({ content: [{ ...content[0]!, _meta: { 'x/at': { a: 1n } } }] }));
  return server;
}

const names = Object.keys(expected);
const paramsOf = (name: string) => ({ name: name.replace(/ /g, '_'), arguments: {} });
const LEVEL = { 'io.modelcontextprotocol/logLevel': 'debug' };

/** Compares what came for one call, without what each revision adds. */
function expectAll(name: string, messages: readonly any[]): void {
  const { answer, log } = expected[name]!;
  const { result, error } = messages.find((message) => message.id !== undefined);
  expect(error ?? result).toMatchObject(answer);
  if (!('_meta' in answer))
    expect(Object.keys(result?._meta ?? {}).filter((key) => key.startsWith('x'))).toEqual([]);
  const lines = messages.filter(({ method }) => method === 'notifications/message');
  expect(lines.map(({ params }) => params.data)).toEqual(log === undefined ? [] : [log]);
}

let service: HttpService;
beforeAll(async () => {
  service = await serveHttp(await serverOfAll(), { port: 0, signals: false, sse: true });
});
afterAll(() => service.close());
beforeEach(() => void logged.splice(0));

test.each(names)('over HTTP on 2026-07-28: %s', async (name) => {
  const { status, json, events } = await send(
    service.url,
    modern('tools/call', { params: paramsOf(name), meta: LEVEL }),
  );
  expect(status).toBe(200);
  expectAll(name, json ? [json] : events);
  // Somebody hears of what was left out.
  expect(logged).toHaveLength(/circle|fails/.test(name) ? 1 : 0);
});

test('over HTTP on 2025-11-25', async () => {
  const client = await LegacyClient.connect(service.url, '2025-11-25');
  await client.request('logging/setLevel', { level: 'debug' });
  for (const name of names) {
    const { json, events } = await client.request('tools/call', paramsOf(name));
    expectAll(name, json ? [json] : events.filter(Boolean));
  }
});

test('over HTTP+SSE', async () => {
  const stream = await LiveStream.open(service.url, { method: 'GET' });
  const path = (await stream.event(1)).data;
  const post = (body: object) => send(service.url, { path, body });
  await post(initialize('2025-03-26'));
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  // Blocks of that revision have no `_meta`.
  for (const name of names.filter((each) => each !== 'meta of a block')) {
    await post({ jsonrpc: '2.0', id: name, method: 'tools/call', params: paramsOf(name) });
    await stream.eventWith(`"id":"${name}"`);
    const message = readEventsStrictly(stream.text).find(({ id }) => id === name);
    expect(message.error ?? message.result).toMatchObject(expected[name]!.answer);
  }
  stream.close();
});

test('over stdio, where the process goes on', async () => {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const { closed } = await serveStdio(await serverOfAll(), { input, output });
  for (const [id, name] of names.entries()) {
    const { body } = modern('tools/call', { params: paramsOf(name) });
    input.write(`${JSON.stringify({ ...(body as object), id })}\n`);
  }
  let written = '';
  output.on('data', (part: string) => (written += part));
  input.end();
  await closed;
  const messages = written
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each));
  for (const [id, name] of names.entries()) {
    const { result, error } = messages.find((message) => message.id === id);
    expect(error ?? result).toMatchObject(expected[name]!.answer);
  }
});

test('lists have the meta of tools, and a meta that no list can have is refused', async () => {
  const server = await boot({ services: [], rateLimit: false, logger });
  const tool = { name: 'rows', description: 'Reads.', handler: () => 'x' };
  expect(() => server.tools.add({ ...tool, meta: circular })).toThrow('meta');
  server.tools.add({ ...tool, meta: { 'x/id': 5n } });
  const data = (_meta: object) => ({ uri: 'm://rows', text: 'x', _meta });
  server.resources.add({
    name: 'rows',
    uri: 'm://rows',
    handler: () => ({ contents: [data({ id: 5n })] }) as never,
  });
  server.prompts.add({
    name: 'rows',
    handler: () =>
      ({ messages: [{ role: 'user', content: { type: 'text', text: 'x', _meta: { id: 5n } } }] }) as never,
  });
  const own = await serveHttp(server, { port: 0, signals: false });
  const ask = async (method: string, params: object) =>
    (await send(own.url, modern(method, { params } as never))).json.result;
  expect((await ask('tools/list', {})).tools).toMatchObject([{ name: 'rows', _meta: { 'x/id': 5 } }]);
  expect(await ask('resources/read', { uri: 'm://rows' })).toMatchObject({
    contents: [{ _meta: { id: 5 } }],
  });
  expect(await ask('prompts/get', { name: 'rows' })).toMatchObject({
    messages: [{ content: { _meta: { id: 5 } } }],
  });
  await own.close();
});
