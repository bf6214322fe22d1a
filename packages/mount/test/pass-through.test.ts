import { connect, type McpClient } from '@toolwright/client';
import type { McpServer, ToolResult } from '@toolwright/core';
import { mountServer } from '@toolwright/mount';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { type LegacyUpstream, serveLegacy } from './support/legacy-upstream.js';
import { createGateway, createUpstream, serveUpstream } from './support/tools.js';

const eras = ['2026-07-28', '2025-11-25'] as const;
const roots = () => [{ uri: 'file:///home/ann' }];
const elicit = () => ({ action: 'accept' as const, content: { name: 'Ann' } });
const sample = () => ({ role: 'assistant' as const, content: { type: 'text', text: 'Paris' }, model: 'm' });

const textOf = ({ content: [first] }: ToolResult) => (first as { text?: string } | undefined)?.text;

describe.each(eras)('a client of %s', (revision) => {
  const open = closedAfterEach();

  async function client(gateway: McpServer, options: object = {}): Promise<McpClient> {
    const made = await connect(gateway, { revision, elicit, sample, roots, ...options } as never);
    open.push(made);
    return made;
  }

  async function modern() {
    const upstream = await createUpstream();
    const { url, served } = await serveUpstream(upstream);
    const gateway = await createGateway();
    open.push({ close: () => served.close() }, gateway);
    await mountServer(gateway, 'up', { url });
    return gateway;
  }

  async function legacy(): Promise<{ gateway: McpServer; upstream: LegacyUpstream }> {
    const upstream = await serveLegacy();
    const gateway = await createGateway();
    open.push(upstream, gateway);
    await mountServer(gateway, 'up', { url: upstream.url });
    return { gateway, upstream };
  }

  describe('and a server of 2026-07-28', () => {
    test('calls its tools, with structured results and errors', async () => {
      const from = await client(await modern());
      expect(textOf(await from.call('echo', { text: 'hi' }))).toBe('hi');
      expect(await from.call('sum', { a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } });
      expect(await from.call('fail', {})).toMatchObject({
        isError: true,
        content: [{ text: 'no such page' }],
      });
    });

    test('answers its questions', async () => {
      const from = await client(await modern());
      expect(textOf(await from.call('greet', {}))).toBe('Hello, Ann!');
      expect(textOf(await from.call('think', {}))).toBe('Paris');
    });

    test('reads resources and prompts, and completes', async () => {
      const from = await client(await modern());
      expect(await from.request('resources/read', { uri: 'notes://all' })).toMatchObject({
        contents: [{ uri: 'notes://all', text: 'all notes' }],
      });
      expect(await from.request('resources/read', { uri: 'notes://7/text' })).toMatchObject({
        contents: [{ text: 'note 7' }],
      });
      expect(
        await from.request('prompts/get', { name: 'review', arguments: { topic: 'code' } }),
      ).toMatchObject({
        messages: [{ content: { text: 'Review code' } }],
      });
      const argument = { name: 'topic', value: 'c' };
      expect(
        await from.request('completion/complete', { ref: { type: 'ref/prompt', name: 'review' }, argument }),
      ).toMatchObject({ completion: { values: ['code'] } });
    });

    test('hears of progress and logs', async () => {
      const logs: unknown[] = [];
      const progress: unknown[] = [];
      const from = await client(await modern(), {
        logLevel: 'info',
        onLog: (each: unknown) => logs.push(each),
      });
      await from.request(
        'tools/call',
        { name: 'work', arguments: {} },
        { onProgress: (each) => progress.push(each) },
      );
      expect(progress).toEqual([{ progress: 1, total: 2, message: 'half' }]);
      expect(logs).toEqual([expect.objectContaining({ level: 'info', data: 'working', logger: 'upstream' })]);
    });
  });

  describe('and a server with sessions', () => {
    test('keeps its state from call to call', async () => {
      const { gateway } = await legacy();
      const from = await client(gateway);
      await from.call('keep', { word: 'a' });
      await from.call('keep', { word: 'b' });
      expect(textOf(await from.call('kept', {}))).toBe('a b');
    });

    test('answers its questions', async () => {
      const { gateway } = await legacy();
      const from = await client(gateway);
      expect(textOf(await from.call('greet', { say: 'Hi' }))).toBe('Hi, Ann of Ann!');
      expect(textOf(await from.call('think', {}))).toBe('Paris');
      expect(textOf(await from.call('where', {}))).toBe('file:///home/ann');
    });

    test('hears of progress and logs', async () => {
      const { gateway } = await legacy();
      const logs: unknown[] = [];
      const progress: unknown[] = [];
      const from = await client(gateway, { logLevel: 'info', onLog: (each: unknown) => logs.push(each) });
      await from.request(
        'tools/call',
        { name: 'work', arguments: {} },
        { onProgress: (each) => progress.push(each) },
      );
      expect(progress).toEqual([{ progress: 1, total: 2, message: 'half' }]);
      expect(logs).toEqual([expect.objectContaining({ level: 'info', data: 'working' })]);
    });
  });
});
