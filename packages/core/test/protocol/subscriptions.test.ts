import { RequireScopes } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { settled } from '../support/fake-clock.js';
import { close, createProtocolFixture, type ProtocolFixture } from '../support/protocol-fixture.js';
import { EXTENSION } from '../support/task-fixture.js';
import { StatefulWire } from '../wire/stateful-wire.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let fixture: ProtocolFixture;
beforeEach(async () => {
  fixture = await createProtocolFixture({ subscriptions: { max: 3, maxPerPrincipal: 2 } });
});
afterEach(() => close(fixture));

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const taskClient = { extensions: { [EXTENSION]: {} } };
const wire = (subject = 'ada', capabilities = {}) => StatelessWire.of(fixture.server, subject, capabilities);
const listen = (notifications: unknown, id: unknown = 1, from = wire()) =>
  from.open('subscriptions/listen', { id, params: { notifications } });
const addTool = (name: string) => fixture.server.tools.add({ name, description: name, handler: () => name });

test.each([[0], ['s'], ['']])(
  'the subscription %j is confirmed first, and marks what follows',
  async (id) => {
    const stream = listen({ toolsListChanged: true, resourceSubscriptions: ['test://plain'] }, id);
    addTool('late');
    fixture.server.resourceUpdated('test://plain');
    await settled();
    const _meta = { [SUBSCRIPTION]: id };
    expect(stream.inbox.messages.map(({ method, params }) => [method, params])).toEqual([
      [
        'notifications/subscriptions/acknowledged',
        { notifications: { toolsListChanged: true, resourceSubscriptions: ['test://plain'] }, _meta },
      ],
      ['notifications/tools/list_changed', { _meta }],
      ['notifications/resources/updated', { uri: 'test://plain', _meta }],
    ]);
  },
);

test('changes in a loop are heard of once for each list, also where the loop awaits', async () => {
  const stream = listen({ toolsListChanged: true, promptsListChanged: true });
  const session = new StatefulWire(fixture.server);
  for (let index = 0; index < 300; index++) {
    addTool(`late${index}`);
    fixture.server.prompts.add({ name: `late${index}`, handler: () => 'late' });
    fixture.server.resourceUpdated('test://plain');
    await Promise.resolve();
  }
  await settled();
  const lists = ['notifications/tools/list_changed', 'notifications/prompts/list_changed'];
  expect(stream.inbox.messages.slice(1).map(({ method }) => method)).toEqual(lists);
  expect(session.said.flatMap(({ method }) => method ?? [])).toEqual(lists);
  addTool('after');
  await settled();
  expect(stream.inbox.messages).toHaveLength(4);
  stream.giveUp();
  session.close();
});

test('only requested changes are sent, and nothing after the client has gone', async () => {
  const stream = listen({
    promptsListChanged: true,
    toolsListChanged: false,
    resourceSubscriptions: ['test://other'],
  });
  addTool('late');
  fixture.server.resourceUpdated('test://plain');
  fixture.server.prompts.add({ name: 'late', handler: () => 'late' });
  await settled();
  stream.giveUp();
  fixture.server.prompts.add({ name: 'later', handler: () => 'later' });
  await settled();
  expect(await stream.answer).toBeUndefined();
  expect(stream.inbox.messages.slice(1).map(({ method }) => method)).toEqual([
    'notifications/prompts/list_changed',
  ]);
});

test('what the server does not offer is not confirmed', async () => {
  const server = await boot({});
  const notifications = { promptsListChanged: true, resourceSubscriptions: ['test://plain'] };
  const stream = StatelessWire.of(server, 'ada').open('subscriptions/listen', { params: { notifications } });
  expect((await stream.inbox.at(1)).params.notifications).toEqual({});
  await server.close(0);
});

test('a server that stops ends each stream with a result that names it', async () => {
  const stream = listen({ toolsListChanged: true }, 'bye');
  await fixture.server.drain();
  expect(await stream.answer).toMatchObject({
    id: 'bye',
    result: { resultType: 'complete', _meta: { [SUBSCRIPTION]: 'bye' } },
  });
});

test('the streams of a principal and of the server are limited, and a closed one makes room', async () => {
  const first = listen({});
  listen({});
  expect((await listen({}).answer)!.error?.code).toBe(-32603);
  listen({}, 1, wire('bob'));
  expect((await listen({}, 1, wire('cleo')).answer)!.error?.code).toBe(-32603);
  first.giveUp();
  await first.answer;
  expect(fixture.server.protocol.load.subscriptions).toBe(2);
  expect((await listen({}, 1, wire('cleo')).inbox.at(1)).method).toMatch(/acknowledged$/);
});

test('the anonymous address with the most streams gives one up to another address', async () => {
  const { server } = await createProtocolFixture({ subscriptions: { maxAnonymous: 3 } });
  const at = (ip: string) =>
    new StatelessWire(server, { principal: undefined, ip, transport: 'http' }).open('subscriptions/listen', {
      params: { notifications: {} },
    });
  const [, , newest] = [at('192.0.2.1'), at('192.0.2.1'), at('192.0.2.1')];
  expect((await at('192.0.2.2').inbox.at(1)).method).toMatch(/acknowledged$/);
  expect((await newest!.answer)!.result.resultType).toBe('complete');
  await server.close(0);
});

test.each<[string, unknown]>([
  ['no filter', undefined],
  ['a list', []],
  ['a change that is no boolean', { toolsListChanged: 'yes' }],
  ['URIs that are no list', { resourceSubscriptions: 'test://plain' }],
  ['URIs that are no strings', { resourceSubscriptions: [5] }],
  ['too many URIs', { resourceSubscriptions: Array(1001).fill('test://a') }],
  ['a URI that is too long', { resourceSubscriptions: ['x'.repeat(100_000)] }],
])('%s is refused', async (_what, notifications) => {
  expect((await listen(notifications).answer)!.error?.code).toBe(-32602);
});

test('an id that is too long to be repeated with each message is refused', async () => {
  expect((await listen({}, 'x'.repeat(10_000)).answer)!.error?.code).toBe(-32602);
});

test('a caller gets no changes of a resource that it may not see', async () => {
  const policies = [RequireScopes.entry('secrets')];
  fixture.server.resources.add({ name: 'secret', uri: 'test://secret', policies, handler: () => 'secret' });
  const stream = listen({ resourceSubscriptions: ['test://secret', 'test://plain'] });
  fixture.server.resourceUpdated('test://secret');
  fixture.server.resourceUpdated('test://plain');
  await settled();
  const heard = stream.inbox.messages.slice(1).map(({ params }) => params.uri);
  expect(heard).toEqual(['test://plain']);
});

describe('changes of tasks', () => {
  const start = async () => {
    fixture.server.tools.add({
      name: 'work',
      description: 'Work.',
      task: 'optional',
      handler: (_args, { signal }) => fixture.gates.wait('a', signal),
    });
    return (await wire('ada', taskClient).call('work')).result.taskId as string;
  };

  test('are sent to their caller, in order and once', async () => {
    const taskId = await start();
    const stream = listen({ taskIds: [taskId, 'unknown'] }, 's', wire('ada', taskClient));
    expect((await stream.inbox.at(1)).params.notifications).toEqual({ taskIds: [taskId] });
    expect(await stream.inbox.at(2)).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, status: 'working', _meta: { [SUBSCRIPTION]: 's' } },
    });
    fixture.gates.open('a');
    expect((await stream.inbox.at(3)).params).toMatchObject({ taskId, status: 'completed' });
    await settled();
    expect(stream.inbox.messages).toHaveLength(3);
  });

  test('are sent to nobody else', async () => {
    const stream = listen({ taskIds: [await start()] }, 's', wire('eve', taskClient));
    expect((await stream.inbox.at(1)).params.notifications).toEqual({});
  });

  test('need the declared extension', async () => {
    expect((await listen({ taskIds: ['x'] }).answer)!.error?.code).toBe(-32021);
  });

  test('end before the stream begins if the client has gone', async () => {
    const stream = listen({ taskIds: [await start()] }, 's', wire('ada', taskClient));
    stream.giveUp();
    expect(await stream.answer).toBeUndefined();
  });
});
