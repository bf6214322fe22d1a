import { Concurrency, Cache, type McpServer, type Principal } from '@toolwright/core';
import type { ObservedMessage, ToolDefinition } from '@toolwright/core/operate';
import { MemoryResultCache, systemClock } from '@toolwright/core/ports';
import { RunningWork } from '@toolwright/ground/call/limits/running-work';
import { boot } from '../support/booting.js';
import { Gates } from '../support/gates.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const of = (tenant: string): Principal => ({ subject: 'ann', tenant, scopes: [] });
const isOf = (tenant: string) => (principal: Principal | undefined) => principal?.tenant === tenant;
const wireOf = (server: McpServer, principal: Principal) =>
  new StatelessWire(server, { principal, ip: undefined, transport: 'memory' });
const textsOf = (isSecret: boolean) => ({
  type: 'object',
  properties: { id: { type: 'string', ...(isSecret && { writeOnly: true }) } },
});

let server: McpServer;
afterEach(() => server.close(0));

describe('what one of several operations of a name marks as sensitive', () => {
  const observed: ObservedMessage[] = [];
  beforeEach(async () => {
    observed.length = 0;
    server = await boot({});
    server.on('message', (message) => observed.push(message));
  });

  /** What observers see of a message. */
  const seen = (at: number) => observed[at]!.message as { params?: object; result?: object };

  test.each([
    ['first', ['globex', 'acme']],
    ['last', ['acme', 'globex']],
  ])('is hidden in calls and results, if it is the %s one', async (_, tenants) => {
    for (const tenant of tenants)
      server.tools.add({
        name: 'keep',
        description: 'Keeps.',
        for: isOf(tenant),
        inputSchema: textsOf(tenant === 'globex'),
        handler: ({ id }) => `kept ${String(id)}`,
      });
    const { result } = await wireOf(server, of('globex')).call('keep', { id: 'hunter2' });
    expect(result.content[0].text).toBe('kept hunter2');
    expect(seen(0).params).toMatchObject({ name: 'keep', arguments: { id: expect.any(String) } });
    expect(JSON.stringify(observed)).not.toContain('hunter2');
  });

  test('is all that is hidden: the URI of a template that one tenant has is shown', async () => {
    server.tools.add({ name: 'keep', description: 'Keeps.', inputSchema: textsOf(true), handler: () => 'x' });
    const template = { uriTemplate: 'note://{id}', name: 'note', handler: () => 'x' };
    server.resourceTemplates.add({ ...template, for: isOf('globex') });
    await wireOf(server, of('globex')).request('resources/read', { uri: 'note://7' });
    expect(seen(0).params).toMatchObject({ uri: 'note://7' });
  });

  test('and a URI that two are for at once still gets an answer', async () => {
    for (const name of ['one', 'two'])
      server.resources.add({ uri: 'note://home', name, for: () => true, handler: () => name });
    const { error } = await wireOf(server, of('acme')).request('resources/subscribe', { uri: 'note://home' });
    expect(error).toBeDefined();
    expect(observed).toHaveLength(2);
  });
});

const shared = [
  ['in memory', () => ({})],
  [
    'in a store',
    () => ({ secrets: ['s'.repeat(32)], stores: { cache: new MemoryResultCache(systemClock) } }),
  ],
] as const;

test.each(shared)('two operations of one name never share a cached result, %s', async (_, options) => {
  server = await boot(options());
  let plan = 'free';
  for (const each of ['free', 'pro'])
    server.tools.add({
      name: 'limits',
      description: 'What I may do.',
      annotations: { readOnlyHint: true },
      policies: [Cache.entry({ ttl: '1h' })],
      for: () => plan === each,
      handler: () => each,
    });
  const ask = async () => (await wireOf(server, of('acme')).call('limits')).result.content[0].text as string;
  expect(await ask()).toBe('free');
  plan = 'pro';
  expect(await ask()).toBe('pro');
});

describe('two operations of one name', () => {
  const gates = new Gates();
  const work = (tenant: string, max: number): ToolDefinition => ({
    name: 'work',
    description: 'Works.',
    for: isOf(tenant),
    policies: [Concurrency.entry({ max, queue: 0 })],
    handler: async (_args, { signal }) => {
      await gates.wait(tenant, signal);
      return tenant;
    },
  });
  const begin = (tenant: string) => wireOf(server, of(tenant)).call('work');

  test('have slots of their own, also after their chains are planned again', async () => {
    server = await boot({ concurrency: false });
    server.tools.add([work('acme', 1), work('globex', 2)]);
    const busy = [begin('acme'), begin('globex'), begin('globex')];
    await Promise.all([gates.reached('acme'), gates.reached('globex')]);
    server.use((_call, next) => next());
    for (const tenant of ['acme', 'globex']) {
      const { result } = await begin(tenant);
      expect(result.content[0].text).toMatch(/Too many calls/);
    }
    const { slots } = await server.operate('ann').state();
    expect(slots.map(({ pool, limit, held }) => `${pool} ${held} of ${limit}`).sort()).toEqual([
      'tool work 1 of 1',
      'tool work 2 of 2',
    ]);
    gates.open('acme');
    gates.open('globex');
    const answers = await Promise.all(busy);
    expect(answers.map(({ result }) => result.content[0].text)).toEqual(['acme', 'globex', 'globex']);
  });

  test('do not refuse calls because of work that the other one has left behind', () => {
    const running = new RunningWork({ perTool: 1, total: 100 });
    const [acme, globex] = ['acme', 'globex'].map(
      (tenant) =>
        ({
          operation: { kind: 'tool', name: 'work', audience: isOf(tenant) },
          request: { principal: of(tenant) },
        }) as never,
    );
    running.abandon(acme!);
    expect([running.isFull(acme!), running.isFull(globex!)]).toEqual([true, false]);
    running.leave(acme!);
    expect(running.isFull(acme!)).toBe(false);
  });
});
