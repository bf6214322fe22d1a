import {
  Confirm,
  type McpServer,
  McpService,
  McpTool,
  RateLimit,
  RequireScopes,
  Timeout,
  UseMiddleware,
  definePolicy,
} from '@toolwright/core';
import { z } from 'zod';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { boot } from './support/booting.js';
import { StatelessWire } from './wire/stateless-wire.js';

let server: McpServer;
afterEach(() => server.close(0));

const Owner = definePolicy<{ team: string }>('owner');
const steps = (name = 'cancel') => server.explain(name)!.steps.map((step) => step.name);

async function start(): Promise<void> {
  server = await boot({ services: [] });
  server.tools.add({
    name: 'cancel',
    description: 'Cancel.',
    policies: [RequireScopes.entry('bookings:write'), RateLimit.entry({ points: 2, per: '1h' })],
    handler: () => 'cancelled',
  });
}

const call = async (scopes: string[], name = 'cancel') => {
  const { result, error } = await StatelessWire.of(server, 'ann', {}, scopes).call(name);
  return (error?.message ?? result.content[0].text) as string;
};

describe('an update of policies', () => {
  beforeEach(start);

  test('takes no limit away by adding that there is none', async () => {
    expect(() => server.tools.update('cancel', { policies: [RateLimit.entry(false)] })).toThrow(
      "remove: ['RateLimit']",
    );
    expect(steps()).toContain('rate limit');
    server.tools.update('cancel', { policies: { remove: ['RateLimit'], add: [RateLimit.entry(false)] } });
    expect(steps()).not.toContain('rate limit');
  });

  test.each([
    ['a list', [Confirm.entry('Sure?')]],
    ['`add`', { add: [Confirm.entry('Sure?')] }],
  ])('keeps each guard that it does not name (%s)', async (_form, policies) => {
    server.tools.update('cancel', { policies });
    expect(steps()).toEqual(expect.arrayContaining(['scopes', 'rate limit', 'confirm']));
    expect(await call([])).toContain('bookings:write');
    expect(await call(['bookings:write'])).toContain('needs the user');
  });

  test('unites scopes, and replaces a limit of the same kind', async () => {
    server.tools.update('cancel', {
      policies: [RequireScopes.entry('admin'), RateLimit.entry({ points: 1, per: '1h' })],
    });
    expect(await call(['admin'])).toContain('bookings:write admin');
    expect(await call(['bookings:write'])).toContain('bookings:write admin');
    expect(await call(['admin', 'bookings:write'])).toBe('cancelled');
    expect(await call(['admin', 'bookings:write'])).toContain('Rate limited');
  });

  test('adds middleware to what is there, once', async () => {
    const seen: string[] = [];
    const note = (what: string) => (_call: unknown, next: () => any) => (seen.push(what), next());
    const [outer, inner] = [note('outer'), note('inner')];
    server.tools.update('cancel', { policies: [UseMiddleware.entry(outer)] });
    for (let time = 0; time < 2; time++)
      server.tools.update('cancel', { policies: [UseMiddleware.entry(inner)] });
    await call(['bookings:write']);
    expect(seen).toEqual(['outer', 'inner']);
  });

  test('takes away only what `remove` names: by the name of the decorator, or that of definePolicy', async () => {
    server.tools.update('cancel', { policies: [Owner.entry({ team: 'docs' }), Timeout.entry('5s')] });
    expect(Owner.of(server.tools.list()[0]!)).toBeDefined();
    server.tools.update('cancel', { policies: { remove: ['RequireScopes', 'owner'] } });
    expect(Owner.of(server.tools.list()[0]!)).toBeUndefined();
    expect(RateLimit.of(server.tools.list()[0]!)).toBeDefined();
    expect(await call([])).toBe('cancelled');
  });

  test('removes before it adds, so that it can replace what would be united', async () => {
    server.tools.update('cancel', {
      policies: { remove: ['RequireScopes'], add: [RequireScopes.entry('admin')] },
    });
    expect(await call(['admin'])).toBe('cancelled');
  });

  test('with a name that no policy has changes nothing, and says what was meant', () => {
    expect(() =>
      server.tools.update('cancel', { policies: { remove: ['Confrim', 'RequireScopes'] } }),
    ).toThrow(`"policies.remove" names "Confrim", and there is no such policy. Did you mean 'Confirm'?`);
    expect(steps()).toContain('scopes');
    // A policy that exists, and that this tool has not.
    server.tools.update('cancel', { policies: { remove: ['Confirm'] } });
  });

  test.each([[undefined], [[]], [{}]])('that says %j changes nothing', async (policies) => {
    server.tools.update('cancel', { policies });
    expect(await call([])).toContain('bookings:write');
  });

  test('with options of another form is refused', () => {
    expect(() => server.tools.update('cancel', { policies: { adds: [] } as never })).toThrow('policies.adds');
    expect(() => server.tools.update('cancel', { policies: 'Confirm' as never })).toThrow('policies');
  });
});

test('what decorators of a class and of a method say stays, and can be removed', async () => {
  @McpService()
  @RequireScopes('pages')
  class Pages {
    @McpTool()
    @RequireScopes('pages:write', { withClass: true })
    erase(): string {
      return 'erased';
    }
  }
  const manifest = handMadeManifest({ file: 'src/tools.ts', name: 'Pages', methods: { erase: [] } });
  server = await boot({ services: [Pages], manifest });
  server.tools.update('erase', { policies: [RequireScopes.entry('admin')] });
  expect(await call(['admin'], 'erase')).toContain('pages pages:write admin');
  server.tools.update('erase', { policies: { remove: ['RequireScopes'] } });
  expect(await call([], 'erase')).toBe('erased');
});

test('two entries of one list that need scopes need all of them', async () => {
  server = await boot({ services: [] });
  const policies = [RequireScopes.entry('one'), RequireScopes.entry('two')];
  server.tools.add({ name: 'both', description: 'Both.', policies, handler: () => 'both' });
  expect(await call(['two'], 'both')).toContain('one two');
});

test('prompts and resources keep their guards, too', async () => {
  server = await boot({ services: [] });
  const policies = [RequireScopes.entry('read')];
  server.prompts.add({ name: 'hello', policies, handler: () => 'Hello' });
  server.resources.add({ name: 'now', uri: 'time://now', policies, handler: () => 'noon' });
  server.prompts.update('hello', { policies: [Timeout.entry('5s')] });
  server.resources.update('time://now', { policies: [Timeout.entry('5s')] });
  const wire = StatelessWire.of(server, 'ann');
  expect((await wire.request('prompts/list')).result.prompts).toEqual([]);
  expect((await wire.request('resources/list')).result.resources).toEqual([]);
});

test('a schema of a library goes on to check when only the code is updated, and a new one counts at once', async () => {
  server = await boot({ services: [] });
  const schemaOf = (least: number) =>
    z.object({ word: z.string().refine((word) => word.length >= least, 'too short') });
  server.tools.add({
    name: 'say',
    description: 'Say.',
    inputSchema: schemaOf(3),
    handler: ({ word }) => `1 ${String(word)}`,
  });
  const say = async (word: string) =>
    (await StatelessWire.of(server, 'ann').call('say', { word })).result.content[0].text as string;
  server.tools.update('say', { handler: ({ word }) => `2 ${String(word)}` });
  expect(await say('ab')).toContain('too short');
  server.tools.update('say', { inputSchema: schemaOf(5) });
  expect(await say('abcd')).toContain('too short');
  expect(await say('abcde')).toBe('2 abcde');
});
