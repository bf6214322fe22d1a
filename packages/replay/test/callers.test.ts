import { randomUUID } from 'node:crypto';
import { connect } from '@toolwright/client';
import type { McpServer } from '@toolwright/core';
import { CallerUnknownError } from '../src/index.js';
import { makePlace, reading, recorded, replayed, serverWith, type Tool } from './support/recorded.js';

const place = makePlace();
const { file } = place;
const servers: McpServer[] = [];
const make = async (version: string, ...tools: Tool[]): Promise<McpServer> => {
  const server = await serverWith(version, tools);
  servers.push(server);
  return server;
};
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close(0);
});
afterAll(() => place.remove());

test('each caller is played as itself, and nothing of one reaches another', async () => {
  const seen: string[] = [];
  const who = reading('who', (_args, ctx) => {
    const { subject, tenant } = ctx.principal!;
    seen.push(`${subject} ${tenant}`);
    return `${subject} of ${tenant}`;
  });
  const server = await make('1.0.0', who);
  const people = [
    { subject: 'ann', tenant: 'acme', scopes: [] },
    { subject: 'bob', tenant: 'globex', scopes: [] },
  ];
  await recorded(file, server, async (open) => {
    const [ann, bob] = [await open({ principal: people[0]! }), await open({ principal: people[1]! })];
    await ann.call('who');
    await bob.call('who');
    await ann.call('who');
  });
  const recordedOrder = seen.splice(0);
  expect((await replayed(file, server)).differing).toEqual([]);
  expect(seen).toEqual(recordedOrder);

  const report = await replayed(file, server, {
    open: ({ caller, client }) => {
      if (caller!.subject === 'bob') return Promise.reject(new CallerUnknownError('bob is away'));
      return connect(server, { ...client, principal: { ...caller!, scopes: [] } });
    },
  });
  expect(report.left).toEqual([
    {
      number: 2,
      method: 'tools/call',
      name: 'who',
      caller: 'bob of globex',
      reason: 'caller',
      words: 'bob is away',
    },
  ]);
  expect(report.counts).toEqual({ calls: 3, replayed: 2, same: 2 });
  expect((await replayed(file, server, { only: 'ann' })).counts.calls).toBe(2);
});

test('an id that one caller got is not given to another', async () => {
  const inputSchema = { type: 'object', properties: { pageId: { type: 'string' } } } as const;
  const asked: unknown[] = [];
  const tools = (): Tool[] => [
    reading('mine', () => randomUUID()),
    reading('read', ({ pageId }, ctx) => (asked.push([ctx.principal!.subject, pageId]), 'read'), {
      inputSchema,
    }),
  ];
  const [before, after] = [await make('1.0.0', ...tools()), await make('1.1.0', ...tools())];
  let id = '';
  await recorded(file, before, async (open) => {
    const ann = await open({ principal: { subject: 'ann', scopes: [] } });
    id = await ann.callText('mine');
    await (await open({ principal: { subject: 'bob', scopes: [] } })).call('read', { pageId: id });
    await ann.call('read', { pageId: id });
  });
  asked.length = 0;
  await replayed(file, after);
  expect(asked).toEqual([
    ['bob', id],
    ['ann', expect.not.stringContaining(id)],
  ]);
});
