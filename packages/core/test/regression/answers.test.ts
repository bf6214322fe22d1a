import { join } from 'node:path';
import { createMcpServer, structured, type McpServer } from '@toolwright/core';
import type { Manifest } from '@toolwright/manifest';
import { buildManifest } from '@toolwright/schema-compiler';
import { connect, type McpClient } from '@toolwright/testing';
import { AnswerTools } from '../fixtures/answers/src/answer-tools.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const said = (text: string) => ({ type: 'text', text });
let manifest: Manifest;
let logger: RecordingLogger;
let server: McpServer;
let wire: StatelessWire;

beforeAll(async () => {
  ({ manifest } = await buildManifest({ project: join(__dirname, '../fixtures/answers/tsconfig.json') }));
});

beforeEach(async () => {
  logger = new RecordingLogger();
  server = await createMcpServer({
    name: 'answers',
    version: '1',
    services: [AnswerTools],
    manifest,
    logger,
  });
  wire = new StatelessWire(server);
});

afterEach(() => server.close(0));

async function call(name: string, args: object = {}): Promise<Record<string, unknown>> {
  const { result } = await wire.call(name, { ...args });
  const { resultType: _, _meta: __, ...rest } = result as Record<string, unknown>;
  return rest;
}

async function published(name: string): Promise<Record<string, unknown>> {
  const { result } = await wire.request('tools/list');
  return (result.tools as Record<string, unknown>[]).find((tool) => tool['name'] === name)!;
}

describe('the protocol’s own result', () => {
  test('is sent unchanged, including errors, and has no schema', async () => {
    expect(await published('inferred')).not.toHaveProperty('outputSchema');
    expect(await call('inferred', { id: '7' })).toEqual({
      content: [said('7')],
      structuredContent: { id: '7' },
    });
    expect(await call('inferred', { id: '' })).toEqual({ content: [said('There is none.')], isError: true });
  });

  test('must match a declared output schema', async () => {
    expect(await call('declared', { id: '7' })).toEqual({
      content: [said('7')],
      structuredContent: { id: '7' },
    });
    expect(await call('declared', { id: '' })).toMatchObject({ isError: true });
    expect(String(logger.lines.at(-1)!.fields['err'])).toContain('id: required');
  });

  test('is an error if its content is not content, with the reason in the log', async () => {
    expect(await call('broken')).toMatchObject({ isError: true });
    expect(String(logger.lines.at(-1)!.fields['err'])).toContain(
      'content[0] of the type "image" needs "data", a string in base64',
    );
  });

  test('is not any data that has a property of that name', async () => {
    const article = { title: 'a', content: [said('a')] };
    expect(await published('article')).toMatchObject({ outputSchema: { required: ['content', 'title'] } });
    expect(await call('article', { title: 'a' })).toEqual({
      content: [said(JSON.stringify(article))],
      structuredContent: article,
    });
  });

  test('is recognised for prompts and resources', async () => {
    const prompt = await wire.request('prompts/get', { name: 'talk', arguments: { topic: 'tea' } });
    expect(prompt.result).toMatchObject({
      description: 'A talk.',
      messages: [{ role: 'assistant', content: said('tea') }],
    });
    const text = await wire.request('resources/read', { uri: 'book://text' });
    expect(text.result.contents).toEqual([{ uri: 'book://text', mimeType: 'text/plain', text: 'Once' }]);
    const index = await wire.request('resources/read', { uri: 'book://index' });
    expect(JSON.parse(index.result.contents[0].text)).toEqual({
      title: 'Book',
      contents: [{ uri: 'book://1', text: 'One' }],
    });
  });

  test('passes through a proxy, with and without an output schema', async () => {
    const upstream = { content: [said('20 °C')], structuredContent: { high: 20 }, isError: false };
    const outputSchema = { type: 'object', properties: { high: { type: 'number' } }, required: ['high'] };
    let answer: unknown = upstream;
    server.tools.add({ name: 'plain', description: 'x', handler: () => answer });
    server.tools.add({ name: 'typed', description: 'x', outputSchema, handler: () => answer });
    const { isError: _, ...sent } = upstream;
    for (const name of ['plain', 'typed']) expect(await call(name)).toEqual(sent);
    answer = { content: [said('No.')], isError: true };
    for (const name of ['plain', 'typed']) expect(await call(name)).toEqual(answer);
    answer = structured({ high: 20 }, 'Warm.');
    for (const name of ['plain', 'typed'])
      expect(await call(name)).toEqual({ content: [said('Warm.')], structuredContent: { high: 20 } });
    answer = { content: [said('20 °C')], structuredContent: { high: 'x' } };
    expect(await call('typed')).toMatchObject({ isError: true });
    answer = { content: [said('20 °C')] };
    expect(await call('plain')).toEqual(answer);
    expect(await call('typed')).toMatchObject({ isError: true });
    expect(String(logger.lines.at(-1)!.fields['err'])).toContain('has no "structuredContent"');
  });
});

test('a method returns text, an image and data, and the schema is that of the data', async () => {
  expect(await published('forecast')).toMatchObject({
    outputSchema: {
      properties: { city: { type: 'string' }, high: { type: 'number' }, at: { format: 'date-time' } },
      required: ['at', 'city', 'high'],
    },
  });
  expect(await call('forecast', { city: 'Bern' })).toEqual({
    content: [said('Bern: 20 °C.'), { type: 'image', data: 'AQ==', mimeType: 'image/png' }],
    structuredContent: { city: 'Bern', high: 20, at: '1970-01-01T00:00:00.000Z' },
  });
});

describe('a method that may return nothing', () => {
  const nothing = { content: [said('null')], structuredContent: null };

  test.each([
    ['find', { title: '' }],
    ['title', { id: '' }],
    ['count', { id: '' }],
  ])('answers with null, as its schema says: %s', async (name, args) => {
    expect(await call(name, args)).toEqual(nothing);
    expect(JSON.stringify(await published(name))).toContain('{"type":"null"}');
  });

  test('otherwise answers with its value', async () => {
    const found = { title: 'a', content: [] };
    expect((await call('find', { title: 'a' }))['structuredContent']).toEqual(found);
    expect((await call('title', { id: 'a' }))['structuredContent']).toBe('a');
  });

  test('also answers older clients, whose results are objects', async () => {
    const client: McpClient = await connect(server, { revision: '2025-06-18' });
    expect(await client.call('find', { title: '' })).toMatchObject({
      structuredContent: { result: null },
    });
    await client.close();
  });
});
