import type { Principal } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { settled } from '../support/fake-clock.js';
import { queueFleet, stopQueueFleet, type QueueFleet } from '../support/queue-fleet.js';
import { EXTENSION } from '../support/task-fixture.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let fleet: QueueFleet;
beforeEach(() => void (fleet = queueFleet()));
afterEach(stopQueueFleet);

const tenants = ['acme', 'globex'];
/** The same subject at each tenant. */
const of = (tenant: string): Principal => ({ subject: 'ann', tenant, scopes: [] });
const wireOf = (tenant: string) =>
  new StatelessWire(
    fleet.web,
    { principal: of(tenant), ip: undefined, transport: 'memory' },
    { extensions: { [EXTENSION]: {} } },
  );

test('a job on a queue carries its tenant: the worker runs the tool of that tenant, for that tenant', async () => {
  const tools = tenants.map((tenant): ToolDefinition => ({
    name: 'export',
    for: (principal) => principal?.tenant === tenant,
    handler: (_args, { principal }) => `export of ${tenant} for ${principal?.tenant}`,
  }));
  fleet.web = await fleet.start(0, tools);
  const begun = [];
  for (const tenant of tenants) {
    const { result } = await wireOf(tenant).call('export');
    expect(result).toMatchObject({ resultType: 'task' });
    begun.push([tenant, result.taskId as string] as const);
  }
  // Another process does the work. It has added the tools in another order.
  await fleet.start(2, tools.toReversed());
  await settled();
  for (const [tenant, taskId] of begun) {
    const { result } = await wireOf(tenant).request('tasks/get', { taskId });
    expect(result).toMatchObject({
      status: 'completed',
      result: { content: [{ text: `export of ${tenant} for ${tenant}` }] },
    });
    const other = tenants.find((each) => each !== tenant)!;
    const { error } = await wireOf(other).request('tasks/get', { taskId });
    expect(error).toMatchObject({ code: -32602 });
  }
  const ended = fleet.sink.records.filter(({ event: { event } }) => event === 'outcome');
  expect(ended.map(({ event: { principal, outcome } }) => [principal?.tenant, outcome]).sort()).toEqual([
    ['acme', 'ok'],
    ['globex', 'ok'],
  ]);
});
