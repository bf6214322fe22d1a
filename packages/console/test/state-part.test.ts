import { connect } from '@toolwright/client';
import { createMcpServer, RateLimit, type McpServer } from '@toolwright/core';
import { type AuditEvent, MemoryTaskStore, silentLogger, systemClock } from '@toolwright/core/ports';
import { Inside, type ConsoleEvent } from '../src/index.js';
import { auditTo } from '../../core/test/support/recording-sink.js';

let server: McpServer;
let inside: Inside;
let finish: (() => void)[];
const events: ConsoleEvent[] = [];
const records: AuditEvent[] = [];

beforeEach(async () => {
  finish = [];
  records.length = 0;
  const audit = auditTo((event) => void records.push(event));
  const stores = { tasks: new MemoryTaskStore(systemClock) };
  server = await createMcpServer({
    name: 'small',
    version: '1',
    services: [],
    audit,
    logger: silentLogger,
    stores,
  });
  server.tools.add({
    name: 'hold',
    description: 'Holds.',
    annotations: { readOnlyHint: true },
    policies: [RateLimit.entry({ points: 2, per: '1h' })],
    handler: (_args, { signal }) =>
      new Promise((resolve) => {
        finish.push(() => resolve('done'));
        signal.addEventListener('abort', () => resolve('stopped'));
      }),
  });
  inside = new Inside((event) => events.push(event));
  inside.add(server);
});

afterEach(async () => {
  inside.rest();
  finish.forEach((each) => each());
  await server.close(0);
});

const state = () => inside.ask('state', { server: 'small' });
const running = async () => {
  while ((await state()).calls.length === 0) await new Promise(setImmediate);
};

test('a call of a client is shown, and cancelled with a record of who did it', async () => {
  const client = await connect(server, { principal: { subject: 'ann', scopes: [] } });
  const call = client.request('tools/call', { name: 'hold', arguments: {} });
  await running();
  const { calls, memoryBytes, limits } = await state();
  expect(calls).toMatchObject([{ name: 'hold', caller: { subject: 'ann' }, phase: 'running' }]);
  expect(limits).toMatchObject([{ operation: 'tool hold', caller: { subject: 'ann' }, used: 1, points: 2 }]);
  expect(memoryBytes).toBeGreaterThan(1_000_000);
  const { number } = calls[0]!;
  expect(await inside.ask('cancelRunningCall', { server: 'small', number })).toEqual({});
  expect(await call).toMatchObject({ isError: true });
  expect(records.filter(({ operation }) => operation === 'operator')).toMatchObject([
    { event: 'intent', name: 'cancel call', principal: { subject: expect.stringMatching(/^console of ./) } },
    { event: 'outcome', outcome: 'ok' },
  ]);
  await expect(inside.ask('cancelRunningCall', { server: 'small', number })).rejects.toThrow(
    'does not wait for its answer any more',
  );
  expect(await inside.ask('resetLimits', { server: 'small', key: limits[0]!.key })).toEqual({ count: 1 });
  expect(await inside.ask('resetLimits', { server: 'small' })).toEqual({ count: 0 });
  await client.close();
});

test('what is gone is told to the person', async () => {
  for (const method of ['endSession', 'cancelTask', 'retryTask'] as const)
    await expect(inside.ask(method, { server: 'small', key: 'unknown' })).rejects.toMatchObject({
      name: 'ConsoleRefusal',
    });
});
