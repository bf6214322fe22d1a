import { Confirm, type McpServer, type ServerOptions, type ToolContext } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { MemoryClaimStore, MemoryTaskStore, systemClock } from '@toolwright/core/ports';
import { settled } from '../support/fake-clock.js';
import {
  accept,
  asked,
  close,
  createProtocolFixture,
  form,
  type ProtocolFixture,
} from '../support/protocol-fixture.js';
import { queueFleet, stopQueueFleet } from '../support/queue-fleet.js';
import { RecordingSink } from '../support/recording-sink.js';
import { EXTENSION } from '../support/task-fixture.js';
import { StatefulWire } from '../wire/stateful-wire.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let fixture: ProtocolFixture;
const sink = new RecordingSink();
beforeEach(async () => {
  sink.records.length = 0;
  fixture = await createProtocolFixture({ audit: sink });
});
afterEach(() => close(fixture));

const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const destructive = { annotations: { destructiveHint: true } };
const reads = { annotations: { readOnlyHint: true } };
const IN_PART = 'It may still run, and may have taken effect in part; check before trying again.';
const NOTHING = 'Nothing was done. It is safe to try again.';
const stopped = (name: string, rest: string) =>
  `The server is stopping and ended the call of ${name} while it waited for an answer. ${rest}`;

function add(name: string, handler: ToolDefinition['handler'], rest: Partial<ToolDefinition> = {}): void {
  fixture.server.tools.add({ name, description: name, handler, ...rest });
}

describe('a session whose person thinks when the server stops', () => {
  /** What the client hears after the stop. The clock stands still, so nothing has waited for a grace. */
  async function heardOf(method: string, params: object, question: string) {
    const wire = new StatefulWire(fixture.server, { capabilities });
    wire.tell(7, method, params);
    const { id } = await wire.question(question);
    const before = wire.said.length;
    expect(await fixture.server.drain()).toBe(true);
    const [withdrawn, answer, ...others] = wire.said.slice(before);
    expect(others).toEqual([]);
    expect(withdrawn).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
    expect(answer.id).toBe(7);
    return answer;
  }
  const textOf = async (name: string, question = 'elicitation/create') => {
    const { result } = await heardOf('tools/call', { name, arguments: {} }, question);
    expect(result.isError).toBe(true);
    return result.content[0].text as string;
  };

  test('learns before a confirmation that nothing was done', async () => {
    add('erase', () => fixture.acts.push('erased'), { ...destructive, policies: [Confirm.entry('Sure?')] });
    expect(await textOf('erase')).toBe(stopped('erase', NOTHING));
    expect(fixture.acts).toEqual([]);
    expect(sink.events).toEqual(['intent', 'outcome cancelled']);
  });

  test.each<[string, ToolDefinition['handler'], string]>([
    ['a form', async (_args, ctx) => (await asked('who')(ctx)).action, 'elicitation/create'],
    [
      'a page',
      async (_args, ctx) => ctx.elicit('p', { message: 'Open', url: 'https://a.example/' }),
      'elicitation/create',
    ],
    [
      'a model',
      async (_args, ctx) => ctx.sample('m', { messages: [], maxTokens: 1 }),
      'sampling/createMessage',
    ],
    ['folders', async (_args, ctx) => ctx.roots(), 'roots/list'],
  ])(
    'learns at a question of the method that it perhaps was done in part: %s',
    async (_what, handler, question) => {
      add('move', handler, destructive);
      expect(await textOf('move', question)).toBe(stopped('move', IN_PART));
    },
  );

  test('learns that a tool that only reads may be called again', async () => {
    add('look', async (_args, context) => (await asked('who')(context)).action, reads);
    expect(await textOf('look')).toBe(stopped('look', 'It is safe to try again.'));
  });

  test('gets the same answer whatever the method makes of the failed question', async () => {
    add('stubborn', async (_args, context) => asked('who')(context).catch(() => 'never mind'), destructive);
    expect(await textOf('stubborn')).toBe(stopped('stubborn', IN_PART));
  });

  test('learns that middleware may have done something', async () => {
    fixture.server.use(async ({ context }, next) => {
      await asked('rule')(context);
      return next();
    });
    add('plain', () => 'done', destructive);
    expect(await textOf('plain')).toBe(stopped('plain', IN_PART));
  });

  test('gets an error for a prompt, which has no result that is an error', async () => {
    fixture.server.prompts.add({
      name: 'asks',
      handler: async (_args: unknown, context: ToolContext) => (await asked('who')(context)).action,
    });
    const { error } = await heardOf('prompts/get', { name: 'asks' }, 'elicitation/create');
    expect(error).toMatchObject({ code: 499, message: expect.stringContaining('while it waited') });
  });

  test('is not asked any more by a call that comes to its question later', async () => {
    const policies = [
      Confirm.entry(async () => {
        await fixture.gates.wait('words', new AbortController().signal);
        return 'Sure?';
      }),
    ];
    add('slow', () => fixture.acts.push('slow'), { ...destructive, policies });
    add('late', async (_args, context) => {
      await fixture.gates.wait('late', context.signal);
      return asked('who')(context);
    });
    const wire = new StatefulWire(fixture.server, { capabilities });
    const answers = ['slow', 'late'].map((name) => wire.call(name));
    await Promise.all(['words', 'late'].map((gate) => fixture.gates.reached(gate)));
    const drained = fixture.server.drain();
    for (const gate of ['words', 'late']) fixture.gates.open(gate);
    const [slow, late] = (await Promise.all(answers)).map(({ result }) => result.content[0].text);
    expect(slow).toBe(stopped('slow', NOTHING));
    expect(late).toBe(stopped('late', IN_PART));
    expect(await drained).toBe(true);
    expect(wire.said.filter(({ method }) => method === 'elicitation/create')).toEqual([]);
    expect(fixture.acts).toEqual([]);
  });
});

test('a deadline that ends words of a confirmation says that nothing was done', async () => {
  const { server, clock } = await createProtocolFixture({ timeout: '5s' });
  const policies = [Confirm.entry(() => new Promise<string>(() => undefined))];
  server.tools.add({
    name: 'erase',
    description: 'Erases.',
    policies,
    ...destructive,
    handler: () => 'erased',
  });
  const answer = new StatefulWire(server, { capabilities }).call('erase');
  await clock.advance(5_000);
  expect((await answer).result.content[0].text).toBe(
    `erase did not finish within 5 s, and the server waits no longer. ${NOTHING}`,
  );
  await close({ server, clock });
});

test('a call of 2026-07-28 that asks while the server stops is answered at another process', async () => {
  const shared = { secrets: ['s'.repeat(32)], stores: { claims: new MemoryClaimStore(systemClock) } };
  const ran: string[] = [];
  const start = async (name: string) => {
    const process = await createProtocolFixture(shared satisfies Partial<ServerOptions>);
    process.server.tools.add({
      name: 'erase',
      description: 'Erases.',
      ...destructive,
      policies: [
        Confirm.entry(async () => {
          if (name === 'one') await process.gates.wait('words', new AbortController().signal);
          return 'Sure?';
        }),
      ],
      handler: () => ran.push(name) && 'erased',
    });
    return process;
  };
  const [one, two] = [await start('one'), await start('two')];
  const client = (server: McpServer) => StatelessWire.of(server, 'ada', capabilities);
  const first = client(one.server).call('erase');
  await one.gates.reached('words');
  const drained = one.server.drain();
  one.gates.open('words');
  const { result } = await first;
  expect(result.resultType).toBe('input_required');
  expect(await drained).toBe(true);
  const given = {
    requestState: result.requestState,
    inputResponses: { 'toolwright.confirm': { action: 'accept', content: { confirm: true } } },
  };
  expect((await client(two.server).call('erase', {}, given)).result.content[0].text).toBe('erased');
  expect(ran).toEqual(['two']);
  await Promise.all([close(one), close(two)]);
});

describe('tasks that wait for their client', () => {
  const tasksClient = (server: McpServer) =>
    StatelessWire.of(server, 'ada', { ...capabilities, extensions: { [EXTENSION]: {} } });

  test.each([
    ['that waits', false],
    ['that comes to its question later', true],
  ])('in this process, one %s ends, and says what may have been done', async (_what, isLate) => {
    const store = new MemoryTaskStore(systemClock);
    const { server, gates, clock } = await createProtocolFixture({ stores: { tasks: store } });
    server.tools.add({
      ...{ name: 'asks', description: 'Asks.', task: 'required', ...destructive },
      async handler(_args, context) {
        if (isLate) await gates.wait('late', context.signal);
        return (await context.elicit('who', { message: 'who?', schema: form })).action;
      },
    });
    const { taskId } = (await tasksClient(server).call('asks')).result;
    if (isLate) await gates.reached('late');
    else await settled();
    const drained = server.drain();
    gates.open('late');
    expect(await drained).toBe(true);
    expect(store.get(taskId)?.ending).toMatchObject({
      status: 'failed',
      error: {
        message:
          'The server stopped before the task was done. It may have taken effect in part; check before you begin it again.',
      },
    });
    await close({ server, clock });
  });

  test('on a queue, the question stays open, and is answered at another process', async () => {
    const fleet = queueFleet();
    const tool: ToolDefinition = {
      name: 'asks',
      handler: async (_args, context) => `Hello, ${String((await asked('who')(context)).content?.name)}!`,
    };
    await fleet.serve([tool]);
    const wire = new StatefulWire(fleet.web, { capabilities, subject: 'ada' });
    const { result } = await wire.request('tools/call', { name: 'asks', arguments: {}, task: {} });
    const { taskId } = result.task;
    const waiting = wire.request('tasks/result', { taskId });
    const { id } = await wire.question('elicitation/create');
    expect(await fleet.web.drain()).toBe(true);
    expect((await waiting).error).toMatchObject({ message: expect.stringContaining('the task goes on') });
    expect(wire.said).toContainEqual(
      expect.objectContaining({ method: 'notifications/cancelled', params: { requestId: id } }),
    );
    const there = await fleet.start(0, [tool]);
    const again = new StatefulWire(there, { capabilities, subject: 'ada' });
    const rest = again.request('tasks/result', { taskId });
    const question = await again.question('elicitation/create');
    again.answer(question.id, { result: accept('Ada') });
    expect((await rest).result.content[0].text).toBe('Hello, Ada!');
    await stopQueueFleet();
  });
});
