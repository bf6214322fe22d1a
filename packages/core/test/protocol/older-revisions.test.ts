import type { ContentBlock } from '@toolwright/core';
import { close, createProtocolFixture, type ProtocolFixture } from '../support/protocol-fixture.js';
import { StatefulWire } from '../wire/stateful-wire.js';

const stateful = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const icons = [{ src: 'https://example.com/a.png' }];
const annotations = { priority: 1, lastModified: '2026-01-01T00:00:00Z' };
const _meta = { 'example.com/kind': 'sample' };

let fixture: ProtocolFixture;
beforeAll(async () => {
  fixture = await createProtocolFixture();
  const { tools, resources, prompts } = fixture.server;
  const blocks: ContentBlock[] = [
    { type: 'text', text: 'a', annotations, _meta },
    { type: 'text', text: 'b', _meta },
    { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'test://plain', name: 'plain', title: 'Plain', icons, annotations },
    { type: 'resource_link', uri: 'test://plain', name: 'plain' },
    { type: 'resource', resource: { uri: 'test://plain', text: 'plain', _meta }, annotations },
    { type: 'resource', resource: { uri: 'test://plain', text: 'plain' } },
  ];
  tools.add({
    name: 'mixed',
    title: 'Mixed',
    description: 'Blocks.',
    icons,
    meta: _meta,
    annotations: { readOnlyHint: true },
    handler: () => blocks,
  });
  tools.add({
    name: 'count',
    description: 'Counts.',
    outputSchema: { type: 'integer' },
    handler: () => 3,
  });
  tools.add({
    name: 'pair',
    description: 'Two ways to answer.',
    outputSchema: { anyOf: [{ type: 'object' }], $schema: 'https://json-schema.org/draft/2020-12/schema' },
    handler: () => ({ a: 1 }),
  });
  tools.add({
    name: 'forwarded',
    description: 'Of another server.',
    handler: () => ({
      content: [{ type: 'text', text: 'x' }],
      isError: true,
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'other', version: '1' } },
    }),
  });
  resources.add({ name: 'noted', uri: 'test://noted', icons, annotations, size: 3, handler: () => 'abc' });
  prompts.add({ name: 'show', title: 'Show', icons, handler: () => blocks[2]! as never });
});
afterAll(() => close(fixture));

const connect = (revision: string) => new StatefulWire(fixture.server, { revision });
const since = (revision: string, first: string) => revision >= first;

describe.each(stateful)('%s', (revision) => {
  test('sends empty results as {}', async () => {
    const wire = connect(revision);
    expect(wire.said[0].result.protocolVersion).toBe(revision);
    for (const [method, params] of [
      ['ping', {}],
      ['logging/setLevel', { level: 'error' }],
      ['resources/subscribe', { uri: 'test://plain' }],
      ['resources/unsubscribe', { uri: 'test://plain' }],
    ] as const)
      expect((await wire.request(method, params)).result).toEqual({});
  });

  test('lists only the fields of a definition that it has', async () => {
    const wire = connect(revision);
    const { tools } = (await wire.request('tools/list')).result;
    const tool = (name: string) => tools.find((each: { name: string }) => each.name === name);
    const mixed = tool('mixed');
    expect('annotations' in mixed).toBe(since(revision, '2025-03-26'));
    expect('title' in mixed).toBe(since(revision, '2025-06-18'));
    expect('_meta' in mixed).toBe(since(revision, '2025-06-18'));
    expect('icons' in mixed).toBe(since(revision, '2025-11-25'));
    const wrapped = { type: 'object', properties: { result: { type: 'integer' } }, required: ['result'] };
    expect(tool('count').outputSchema).toEqual(since(revision, '2025-06-18') ? wrapped : undefined);
    if (tool('pair').outputSchema) expect(tool('pair').outputSchema.type).toBe('object');
    const { resources } = (await wire.request('resources/list')).result;
    const noted = resources.find(({ name }: { name: string }) => name === 'noted');
    expect('icons' in noted).toBe(since(revision, '2025-11-25'));
    expect('lastModified' in (noted.annotations ?? {})).toBe(since(revision, '2025-06-18'));
    const { prompts } = (await wire.request('prompts/list')).result;
    expect(prompts.some((each: object) => 'icons' in each)).toBe(since(revision, '2025-11-25'));
    expect((await wire.request('resources/templates/list')).result.resourceTemplates).toHaveLength(1);
  });

  test('sends only the fields of a result that it has', async () => {
    const wire = connect(revision);
    const { result } = await wire.call('mixed');
    expect(result).not.toHaveProperty('resultType');
    const titled = since(revision, '2025-06-18');
    expect(result.content.map(({ type }: { type: string }) => type)).toEqual([
      'text',
      'text',
      since(revision, '2025-03-26') ? 'audio' : 'text',
      titled ? 'resource_link' : 'text',
      titled ? 'resource_link' : 'text',
      'resource',
      'resource',
    ]);
    expect('lastModified' in result.content[0].annotations).toBe(titled);
    expect('_meta' in result.content[1]).toBe(titled);
    expect('icons' in result.content[3]).toBe(since(revision, '2025-11-25'));
    expect('_meta' in result.content[5].resource).toBe(titled);
    expect((await wire.call('count')).result.structuredContent).toEqual(titled ? { result: 3 } : undefined);
    const prompt = await wire.request('prompts/get', { name: 'show' });
    expect(prompt.result.messages[0].content.type).toBe(since(revision, '2025-03-26') ? 'audio' : 'text');
  });

  test('keeps the older error codes', async () => {
    const wire = connect(revision);
    for (const [method, params, code] of [
      ['resources/read', { uri: 'test://nowhere' }, -32002],
      ['unknown/method', {}, -32601],
      ['server/discover', {}, -32601],
      ['subscriptions/listen', {}, -32601],
      ['tools/call', { name: 'ecko' }, -32602],
      ['tools/list', { cursor: 5 }, -32602],
      ['logging/setLevel', { level: 'loud' }, -32602],
      ['resources/subscribe', {}, -32602],
      ['resources/unsubscribe', {}, -32602],
      ['resources/subscribe', { uri: 'x'.repeat(9_000) }, -32602],
      ['tools/call', { name: 'whoami', arguments: {}, _meta: { progressToken: {} } }, -32602],
    ] as const) {
      const { error } = await wire.request(method, params);
      expect([method, error.code]).toEqual([method, code]);
    }
  });

  test('sends progress with the fields that it has', async () => {
    const wire = connect(revision);
    await wire.request('logging/setLevel', { level: 'error' });
    await wire.call('talk', {}, { progressToken: 't' });
    const progress = { progressToken: 't', progress: 1, total: 2 };
    expect(wire.said.filter(({ method }) => method).map(({ params }) => params)).toEqual([
      since(revision, '2025-03-26') ? { ...progress, message: 'half' } : progress,
      expect.objectContaining({ level: 'error' }),
    ]);
  });
});

test('the result of another server does not replace the name of this one', async () => {
  const { result } = await connect('2025-11-25').call('forwarded');
  expect(result).toEqual({ content: [{ type: 'text', text: 'x' }], isError: true });
});

test('a session can subscribe to a limited number of resources', async () => {
  const wire = connect('2025-11-25');
  const watch = (at: number) => wire.request('resources/subscribe', { uri: `test://pages/${at}` });
  for (let at = 0; at < 1_000; at++) await watch(at);
  expect((await watch(1_001)).error).toBeDefined();
});
