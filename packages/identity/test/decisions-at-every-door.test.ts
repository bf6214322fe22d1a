import { createMcpServer, MaxOutput, type McpServer, RateLimit, definePolicy } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { StatefulWire } from '../../core/test/wire/stateful-wire.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { cedar, type Decide, type DecisionInput, type ExternalDecisionOptions } from '../src/decisions.js';
import { decisionsIn, startDecided, textOf, type DecidedServer } from './support/decided-server.js';

let server: McpServer | undefined;
afterEach(async () => {
  await server?.close(0);
  server = undefined;
});

async function start(options: ExternalDecisionOptions): Promise<DecidedServer> {
  const started = await startDecided(options);
  ({ server } = started);
  return started;
}

/** Three names of two versions. */
const names = ['pay', 'pay.v2', 'pay.v1'] as const;

function addVersions(): void {
  server!.tools.add(
    ['2', '1'].map((version) => ({
      name: 'pay',
      version,
      description: 'Pay.',
      handler: () => `paid ${version}`,
    })),
  );
}

const denies =
  (...denied: string[]): Decide =>
  ({ operation }) => ({ allow: !denied.includes(operation.name) });

describe('a tool that the engine denies is denied by the name of each version', () => {
  test.each<[string, ExternalDecisionOptions]>([
    ['by its name', { decide: denies('pay') }],
    ['by its name, and hidden', { decide: denies('pay'), hide: true }],
    ['by `when`', { decide: () => ({ allow: false }), when: ({ name }) => name === 'pay' }],
    [
      'by Cedar',
      {
        decide: cedar({
          policies:
            'permit(principal, action, resource); forbid(principal, action, resource == Tool::"pay");',
        }),
      },
    ],
  ])('%s', async (_how, options) => {
    const { wire, call } = await start(options);
    addVersions();
    for (const name of names) expect(JSON.stringify(await wire('ann').call(name))).not.toContain('paid');
    expect(textOf(await call('ann', 'look_up', {}))).toContain('look_up');
  });

  test('and the engine is asked about one name, with the version', async () => {
    const asked: DecisionInput[] = [];
    const { call, events } = await start({
      decide: (input) => ({ allow: asked.push(input) > 0 && input.operation.version !== '1' }),
    });
    addVersions();
    const answers = [];
    for (const name of names) answers.push(textOf(await call('ann', name, {})));
    expect(answers.map((text) => text.replace(/ \(.*/, ''))).toEqual([
      'paid 2',
      'paid 2',
      expect.stringContaining('You may not call pay like this'),
    ]);
    // The second name means what the first one means, so its answer is kept.
    expect(asked.map(({ operation }) => operation)).toEqual([
      { kind: 'tool', name: 'pay', version: '2', annotations: {} },
      { kind: 'tool', name: 'pay', version: '1', annotations: {} },
    ]);
    expect(events.filter(({ operation }) => operation === 'decision').map(({ name }) => name)).toEqual([
      'pay',
      'pay',
      'pay',
    ]);
  });
});

test('rules of an application know versions by one name, too: `when`, policies, `authorize` and keys of limits', async () => {
  const seen: unknown[] = [];
  const note = (where: string, { name, version }: { name: string; version?: string | undefined }) =>
    seen.push([where, name, version]);
  const Noted = definePolicy<string>('noted', {
    plan: (_options, operation) => {
      note('policy', operation);
      return undefined;
    },
  });
  server = await createMcpServer({
    name: 'desk',
    version: '1.0.0',
    services: [],
    rateLimit: false,
    logger: silentLogger,
    authorize: (_principal, operation) => (note('authorize', operation as never), true),
  });
  server.tools.add(
    ['2', '1'].map((version) => ({
      name: 'pay',
      version,
      description: 'Pay.',
      policies: [
        Noted.entry('x'),
        RateLimit.entry({ points: 9, per: '1m', key: ({ operation }) => (note('key', operation), 'k') }),
      ],
      handler: () => `paid ${version}`,
    })),
  );
  server.use((_call, next) => next(), { when: (operation) => (note('when', operation), false) });
  const wire = new StatelessWire(server);
  for (const name of names) expect(textOf((await wire.call(name)).result)).toMatch(/^paid/);
  expect(new Set(seen.map(String))).toEqual(
    new Set(['when', 'policy', 'authorize', 'key'].flatMap((where) => [`${where},pay,2`, `${where},pay,1`])),
  );
});

describe('completions', () => {
  const complete = (wire: StatelessWire, ref: object, known: object = {}) =>
    wire.request('completion/complete', {
      ref,
      argument: { name: 'order', value: 'o' },
      context: { arguments: known },
    });
  let ran: number;
  beforeEach(() => void (ran = 0));

  function addCompletions(): void {
    const order = () => [`o-${++ran}`];
    server!.prompts.add({
      name: 'refunds',
      description: 'Refunds.',
      arguments: [{ name: 'order' }],
      complete: { order },
      handler: () => 'Refunds.',
    });
    server!.resourceTemplates.add({
      name: 'order',
      uriTemplate: 'order://{order}',
      complete: { order },
      handler: () => 'An order.',
    });
  }
  const refs = [
    { type: 'ref/prompt', name: 'refunds' },
    { type: 'ref/resource', uri: 'order://{order}' },
  ];

  test.each([[false], [true]])(
    'of what the engine denies run no code of its author (hide: %s)',
    async (hide) => {
      const { wire } = await start({ decide: denies('refunds', 'order'), hide });
      addCompletions();
      for (const ref of refs) {
        const { error } = await complete(wire('ann'), ref);
        expect(error!.code).toBe(hide ? -32602 : 403);
      }
      expect(ran).toBe(0);
    },
  );

  test.each([[false], [true]])(
    'of what it allows are answered, for callers who have not listed anything, too (hide: %s)',
    async (hide) => {
      const asked: DecisionInput[] = [];
      const { wire, events } = await start({
        decide: (input) => ({ allow: asked.push(input) > 0 }),
        hide,
        when: ({ kind }) => kind !== 'tool',
      });
      addCompletions();
      for (const ref of refs)
        expect((await complete(wire('ann'), ref, { shop: 's' })).result.completion.values).toHaveLength(1);
      // Each typed letter is the same question.
      await wire('ann').request('completion/complete', {
        ref: refs[0],
        argument: { name: 'order', value: 'o-1' },
        context: { arguments: { shop: 's' } },
      });
      expect(asked.filter(({ action }) => action === 'call')).toMatchObject([
        { operation: { kind: 'prompt', name: 'refunds' }, arguments: { shop: 's' } },
        { operation: { kind: 'resourceTemplate', name: 'order' }, arguments: { shop: 's' } },
      ]);
      expect(decisionsIn(events)).toHaveLength(3);
    },
  );
});

describe('watching a resource', () => {
  const addFeed = () => server!.resources.add({ name: 'feed', uri: 'feed://a', handler: () => 'news' });
  const listen = (wire: StatelessWire) =>
    wire.open('subscriptions/listen', { params: { notifications: { resourceSubscriptions: ['feed://a'] } } });

  test.each([[false], [true]])('is refused if the engine denies to read it (hide: %s)', async (hide) => {
    const { wire } = await start({ decide: denies('feed'), hide });
    addFeed();
    const stream = listen(wire('ann'));
    const acknowledged = await stream.inbox.at(1);
    expect(acknowledged).toMatchObject({ params: { notifications: {} } });
    expect(JSON.stringify(acknowledged)).not.toContain('feed://a');
    stream.giveUp();
    const session = new StatefulWire(server!, { subject: 'ann' });
    const { error } = await session.request('resources/subscribe', { uri: 'feed://a' });
    expect(error!.code).toBe(hide ? -32002 : 403);
  });

  test.each([[false], [true]])('is allowed if it allows it (hide: %s)', async (hide) => {
    const { wire } = await start({ decide: () => ({ allow: true }), hide });
    addFeed();
    const stream = listen(wire('ann'));
    expect(JSON.stringify(await stream.inbox.at(1))).toContain('feed://a');
    stream.giveUp();
    const session = new StatefulWire(server!, { subject: 'ann' });
    expect((await session.request('resources/subscribe', { uri: 'feed://a' })).result).toEqual({});
  });
});

test('with `hide`, a later round asks again, and the answer of its person counts', async () => {
  const { wire, clock } = await start({
    decide: ({ principal }) => ({ allow: principal !== null }),
    hide: true,
  });
  server!.tools.add({
    name: 'ask',
    description: 'Ask.',
    handler: async (_args, ctx) =>
      (await ctx.elicit('sure', { message: 'Sure?', schema: { type: 'object', properties: {} } })).action,
  });
  const client = StatelessWire.of(server!, 'ann', { elicitation: {} });
  const { requestState } = (await client.call('ask')).result;
  // What the engine has said about the first round counts for five minutes.
  await clock.advance(400_000);
  const inputResponses = { sure: { action: 'accept', content: {} } };
  expect(textOf((await client.call('ask', {}, { requestState, inputResponses })).result)).toBe('accept');
  expect((await wire().call('ask')).error!.code).toBe(-32602);
});

test('with `hide`, a missing argument of a prompt is told to those who may see it, and only to them', async () => {
  await start({ decide: ({ principal }) => ({ allow: principal?.subject === 'ann' }), hide: true });
  server!.prompts.add({
    name: 'letter',
    arguments: [{ name: 'to', required: true }],
    handler: () => 'Dear',
  });
  const messageFor = async (subject: string) =>
    (await StatelessWire.of(server!, subject).request('prompts/get', { name: 'letter' })).error!.message;
  expect(await messageFor('ann')).toContain('needs the argument "to"');
  expect(await messageFor('bob')).toContain('Unknown prompt: letter.');
});

test('with `hide`, a link to the rest of a result asks again before it is opened', async () => {
  let allow = true;
  const { clock } = await start({ decide: () => ({ allow }), hide: true });
  server!.tools.add({
    name: 'report',
    description: 'Reports.',
    annotations: { readOnlyHint: true },
    policies: [MaxOutput.entry({ bytes: 1_000, link: true })],
    handler: () => 'a word '.repeat(1_000),
  });
  const wire = StatelessWire.of(server!, 'ann');
  const { content } = (await wire.call('report')).result;
  const { uri } = content.find(({ type }: { type: string }) => type === 'resource_link');
  await clock.advance(400_000);
  const read = () => wire.request('resources/read', { uri });
  expect((await read()).result.contents[0].text).toContain('a word');
  allow = false;
  await clock.advance(20_000);
  expect((await read()).error!.code).toBe(-32602);
});
