import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { McpServer } from '@toolwright/core';
import { wellFormed } from '@toolwright/json';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { exportAudit, openAuditSink } from '../../audit/src/index.js';
import { sampleEvent } from '../../audit/test/sample-event.js';
import { boot } from '../../core/test/support/booting.js';
import { serveStdio } from '../../stdio/src/index.js';
import { mcpFetch, serveHttp, type HttpService } from '../src/index.js';
import { jsonFiles, randomTexts, texts } from './support/foreign-texts.js';
import { initialize, LegacyClient } from './support/legacy-client.js';
import { LiveStream } from './support/live-stream.js';
import { readEventsStrictly, readLinesStrictly, readStrictly } from './support/strict-reader.js';
import { addTextOperations, type Way, ways } from './support/text-operations.js';
import { call, envelope, modern, send, type WireAnswer } from './support/wire.js';

const AT_ONCE = 600;
const all = [...texts, ...randomTexts(500, 54)];
const chunks = Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, index) =>
  all.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
);
const olderRevisions = ['2025-03-26', '2025-06-18', '2025-11-25'];
const asked = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' };

async function serverOf(chunk: readonly string[]): Promise<McpServer> {
  const output = { hidden: 'keep', maxBytes: false } as const;
  const server = await boot({ services: [], rateLimit: false, output, lists: { pageSize: 1_000 } });
  addTextOperations(server, chunk);
  return server;
}

const served: { service: HttpService; handler: ReturnType<typeof mcpFetch>; chunk: readonly string[] }[] = [];
beforeAll(async () => {
  for (const chunk of chunks) {
    const server = await serverOf(chunk);
    const service = await serveHttp(server, { port: 0, signals: false, sse: true });
    served.push({ chunk, service, handler: mcpFetch(server) });
  }
});
afterAll(() => Promise.all(served.map(({ service }) => service.close())));

const messagesIn = ({ text, headers }: Pick<WireAnswer, 'text' | 'headers'>) =>
  headers['content-type']?.startsWith('text/event-stream') ? readEventsStrictly(text) : [readStrictly(text)];

/** Fails when the texts are not the same, but for halves of pairs. */
function expectTexts(way: Way, messages: readonly any[], chunk: readonly string[], hasNotices = true) {
  const { name, find, only = (every) => every } = way;
  if (!hasNotices && /progress|log/.test(name)) return;
  const found = find(messages.at(-1).result, messages);
  const given = only(chunk);
  if (typeof found === 'string') expect(found).toBe(wellFormed(given.join('')));
  else expect(found).toEqual(given.map(wellFormed));
}

describe.each(ways)('$name', (way) => {
  const { method, params } = way;

  test('over HTTP on 2026-07-28, as JSON and as a stream', async () => {
    for (const { service, chunk } of served)
      for (const meta of [undefined, asked]) {
        const answer = await send(service.url, modern(method, { params, ...(meta && { meta }) }));
        expectTexts(way, messagesIn(answer), chunk, meta !== undefined);
      }
  });

  test.each(olderRevisions)('over HTTP on %s, as JSON and as a stream', async (revision) => {
    for (const { service, chunk } of served) {
      const client = await LegacyClient.connect(service.url, revision);
      expectTexts(way, messagesIn(await client.request(method, params)), chunk, false);
      const streamed = await client.request(method, { ...params, _meta: { progressToken: 1 } });
      expectTexts(way, messagesIn(streamed), chunk);
    }
  });

  test('over fetch', async () => {
    for (const { handler, chunk } of served)
      for (const meta of [undefined, asked]) {
        const { headers, body } = modern(method, { params, ...(meta && { meta }) });
        const sent = { 'content-type': 'application/json', ...(headers as Record<string, string>) };
        const init = { method: 'POST', headers: sent, body: JSON.stringify(body) };
        const response = await handler(new Request('http://localhost/mcp', init));
        const answer = { text: await response.text(), headers: Object.fromEntries(response.headers) };
        expectTexts(way, messagesIn(answer), chunk, meta !== undefined);
      }
  });

  test('over HTTP+SSE', async () => {
    for (const { service, chunk } of served) {
      const stream = await LiveStream.open(service.url, { method: 'GET' });
      const path = (await stream.event(1)).data;
      const post = (body: object) => send(service.url, { path, body });
      // Reports of progress have texts from 2025-03-26 on.
      await post(initialize('2025-03-26'));
      await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
      await post({ jsonrpc: '2.0', id: 'texts', method, params: { ...params, _meta: { progressToken: 1 } } });
      await stream.eventWith('"id":"texts"');
      expectTexts(way, readEventsStrictly(stream.text), chunk);
      stream.close();
    }
  });
});

test.each(['2025-11-25', '2026-07-28'])('over stdio on %s, on every way', async (revision) => {
  for (const chunk of chunks) {
    const server = await serverOf(chunk);
    const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
    const service = await serveStdio(server, { input, output });
    const write = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const isModern = revision === '2026-07-28';
    if (!isModern) {
      write(initialize(revision, {}, 'hello'));
      write({ method: 'notifications/initialized' });
    }
    for (const [id, { method, params }] of ways.entries()) {
      const own = { progressToken: id };
      write({ id, method, params: { ...params, _meta: isModern ? envelope({ ...asked, ...own }) : own } });
    }
    let written = '';
    output.on('data', (part: string) => (written += part));
    input.end();
    await service.closed;
    const messages = readLinesStrictly(written);
    for (const [id, way] of ways.entries()) {
      const answer = messages.find((message) => message.id === id);
      expectTexts(way, [...messages.filter(({ method }) => method !== undefined), answer], chunk);
    }
  }
});

test('a task and its result', async () => {
  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  for (const { service, chunk } of served) {
    const { json } = await send(service.url, call('task', {}, { capabilities }));
    const params = { taskId: json.result.taskId };
    for (;;) {
      const { text } = await send(service.url, modern('tasks/get', { capabilities, params }));
      const { result } = readStrictly(text) as {
        result: { status: string; result: { content: [{ text: string }] } };
      };
      if (result.status === 'working') continue;
      expect(result.result.content[0].text).toBe(wellFormed(chunk.join('')));
      break;
    }
  }
});

test('an export of the audit log', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'audit.jsonl');
  const sink = await openAuditSink({ file, key: 'k'.repeat(32) });
  for (const text of all)
    await sink.write(sampleEvent({ name: text, reason: text, loggable: { [text]: text } }), 'buffered');
  await sink.close();
  let exported = '';
  for await (const part of exportAudit({ file, format: 'jsonl' })) exported += part;
  const records = exported.split('\n').filter(Boolean).map(readStrictly) as { name?: string }[];
  expect(records.flatMap(({ name }) => name ?? [])).toEqual(all.map(wellFormed));
  let table = '';
  for await (const part of exportAudit({ file, format: 'csv' })) table += part;
  expect(table).toBe(wellFormed(table));
});

/** Fails when a file is no JSON and is taken, or when the answer is none that strict readers read. */
function expectAnswer(name: string, text: string): void {
  const answer = readStrictly(text) as any;
  for (const each of [answer].flat()) expect(each.jsonrpc).toBe('2.0');
  // None of the files is a message, so each is refused as what it is.
  const codes = [answer].flat().map(({ error }) => error.code);
  if (name.startsWith('n_')) expect([-32700, -32600]).toContain(codes[0]);
  else expect([-32700, -32600, -32601, -32602]).toEqual(expect.arrayContaining(codes));
}

test('each file of JSONTestSuite as a whole body is refused, over HTTP, fetch and HTTP+SSE', async () => {
  const [{ service, handler }] = served as [(typeof served)[0]];
  const client = await LegacyClient.connect(service.url, '2025-11-25');
  const stream = await LiveStream.open(service.url, { method: 'GET' });
  const path = (await stream.event(1)).data;
  await send(service.url, { path, body: initialize('2025-03-26') });
  await stream.event(2);
  const { headers } = call('echo', { value: 'x' });
  let tried = 0;
  for (const [name, bytes] of jsonFiles) {
    for (const sent of [headers!, client.headers]) {
      const { status, text } = await send(service.url, { headers: sent, body: bytes });
      expect([name, status]).toEqual([name, 400]);
      expectAnswer(name, text);
    }
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: bytes };
    const response = await handler(new Request('http://localhost/mcp', init));
    expectAnswer(name, await response.text());
    const posted = await send(service.url, { path, body: bytes });
    expect([202, 400]).toContain(posted.status);
    tried += 4;
  }
  expect(tried).toBe(4 * jsonFiles.length);
  stream.close();
  expect((await send(service.url, call('echo', { value: 'x' }))).status).toBe(200);
});

test('each file of JSONTestSuite as a line is refused, and the next one is read', async () => {
  const server = await serverOf(['x']);
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const service = await serveStdio(server, { input, output });
  let written = '';
  output.on('data', (part: string) => (written += part));
  for (const [index, [, bytes]] of jsonFiles.entries()) {
    input.write(Buffer.concat([bytes, Buffer.from('\n')]));
    input.write(`${JSON.stringify({ ...(call('echo', { value: index }).body as object), id: index })}\n`);
  }
  input.end();
  await service.closed;
  const messages = readLinesStrictly(written).flat();
  expect(messages.flatMap(({ id, result }) => (result ? [id] : []))).toEqual(
    jsonFiles.map((_, index) => index),
  );
  const silent = jsonFiles.flatMap(([name], index) => {
    const at = messages.findIndex(({ id, result }) => result && id === index);
    return messages[at - 1]?.error ? [] : [name];
  });
  // Empty lines.
  expect(silent).toEqual(['n_structure_UTF8_BOM_no_data', 'n_structure_no_data']);
});

test.each(jsonFiles.map(([name]) => name))('the bytes of %s as an argument get an answer', async (name) => {
  const bytes = jsonFiles.find(([file]) => file === name)![1];
  const { body, headers } = call('echo', { value: '@' });
  const [before, after] = JSON.stringify(body).split('"@"');
  const answer = await send(served[0]!.service.url, {
    headers: headers!,
    body: Buffer.concat([Buffer.from(before!), bytes, Buffer.from(after!)]),
  });
  expect([200, 400]).toContain(answer.status);
  if (name.startsWith('y_string')) expect(answer.status).toBe(200);
  readStrictly(answer.text);
});
