import { RateLimit } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { settled } from './support/fake-clock.js';
import { addRunner } from './support/made-up-runner.js';
import { accept } from './support/protocol-fixture.js';
import { queueFleet, stopQueueFleet } from './support/queue-fleet.js';
import { EXTENSION } from './support/task-fixture.js';
import { StatelessWire } from './wire/stateless-wire.js';

afterEach(stopQueueFleet);

test('an inner call of a durable task goes on after its question, with the same records, points and keys', async () => {
  const fleet = queueFleet();
  const keys: string[] = [];
  const tools: ToolDefinition[] = [
    {
      name: 'ask',
      task: undefined as never,
      policies: [RateLimit.entry({ points: 1, per: '1h', cost: 1 })],
      handler: async (_args, ctx) => {
        keys.push(await ctx.once('step', ({ idempotencyKey }) => idempotencyKey));
        const schema = { type: 'object', properties: { name: { type: 'string' } } };
        const { content } = await ctx.elicit<{ name: string }>('name', { message: 'Name?', schema } as never);
        return content!.name;
      },
    },
  ];
  fleet.web = await fleet.start(0, tools);
  const worker = await fleet.start(10, tools);
  for (const each of [fleet.web, worker]) await addRunner(each, { task: 'optional' });
  const taskId = await fleet.begin('run_all', { wanted: [{ name: 'ask' }] });
  const { inputRequests } = await fleet.get(taskId);
  expect(Object.keys(inputRequests)).toEqual(['call.1/name']);
  await fleet.update(taskId, { 'call.1/name': accept('Ada') });
  expect(await fleet.textOf(taskId)).toBe('["Ada"]');
  expect(new Set(keys).size).toBe(1);
  const inner = fleet.sink.records.map(({ event }) => event).filter(({ name }) => name === 'ask');
  expect(new Set(inner.map(({ callId }) => callId)).size).toBe(1);
  expect(inner.at(-1)).toMatchObject({ outcome: 'ok' });
});

test('an inner call of a durable task knows which claims of its caller the task has not kept', async () => {
  const fleet = queueFleet();
  const tools: ToolDefinition[] = [{ name: 'plain', task: undefined as never, handler: () => 'done' }];
  fleet.web = await fleet.start(0, tools);
  const worker = await fleet.start(10, tools);
  for (const each of [fleet.web, worker]) await addRunner(each, { task: 'optional' });
  const seen: unknown[] = [];
  worker.use(({ operation, request }, next) => {
    seen.push([operation.name, request.unkeptClaims]);
    return next();
  });
  const principal = { subject: 'ada', scopes: [], claims: { org: 'bakers' } };
  const capabilities = { extensions: { [EXTENSION]: {} } };
  const wire = new StatelessWire(fleet.web, { principal, ip: undefined, transport: 'memory' }, capabilities);
  await wire.call('run_all', { wanted: [{ name: 'plain' }] });
  await settled();
  expect(seen).toEqual([
    ['run_all', ['org']],
    ['plain', ['org']],
  ]);
});
