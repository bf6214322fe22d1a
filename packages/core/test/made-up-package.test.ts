import {
  McpService,
  McpTool,
  type McpServer,
  RequireScopes,
  type ServerOptions,
  ToolContext,
} from '@toolwright/core';
import {
  type DescribeTool,
  extend,
  type Extension,
  type Guard,
  type ListView,
} from '@toolwright/core/extend';
import { type RateLimitDecision, silentLogger } from '@toolwright/core/ports';
import { optionalPackages } from '../src/boot/extensions/load-packages.js';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { boot, problemsOf, temporaryPackages } from './support/booting.js';
import { FakeClock } from './support/fake-clock.js';
import { Metered, unitsExtension } from './support/made-up-package.js';
import { StatefulWire } from './wire/stateful-wire.js';
import { StatelessWire } from './wire/stateless-wire.js';

const makePackage = temporaryPackages();
let server: McpServer | undefined;
afterEach(async () => {
  await server?.close(0);
  server = undefined;
});

/** The lines that packages of the project have in the table of options that load packages. */
(optionalPackages as object[]).push(
  { option: 'units', package: '@made-up/units' },
  { option: 'weights', package: '@made-up/weights' },
);

/** A server of an application that has installed the made-up package. */
async function application(options: Partial<ServerOptions>): Promise<McpServer> {
  const app = makePackage({
    'app.ts': `import { createMcpServer } from '@toolwright/core';
      export const start = (options) => createMcpServer({ name: 'app', version: '1', ...options });`,
    'node_modules/@made-up/units/index.js': `
      exports.extension = require('${__dirname}/support/made-up-package.ts').unitsExtension;`,
  });
  const { start } = app.load('app.ts') as unknown as {
    start(options: Partial<ServerOptions>): Promise<McpServer>;
  };
  return (server = await start(options));
}

@McpService({ units: 3 })
class Work {
  /** Works. */
  @McpTool() work(ctx: ToolContext) {
    return `${ctx.units!.left()} left`;
  }
  /** Works hard. */
  @McpTool({ units: 8 }) workHard() {
    return 'done';
  }
}
const manifest = handMadeManifest({ file: 'src/work.ts', name: 'Work', methods: { work: [], workHard: [] } });
Object.assign(manifest.entries[0]!, {
  parameters: [{ name: 'ctx', kind: 'inject', inject: 'ToolContext' }],
});

describe('a package that an option loads', () => {
  test('adds what it says, without a word of it in core', async () => {
    const fields = { '@made-up/units': { price: 2 }, '@other/package': {} };
    await application({
      services: [Work],
      manifest: { ...manifest, extensions: fields },
      units: { each: 12 },
      logger: silentLogger,
    });
    const wire = StatelessWire.of(server!, 'ann');
    // The option, and the capability of its methods
    const { result } = await wire.request('server/discover');
    expect(result.capabilities).toMatchObject({ extensions: { 'example/units': { each: 12 } } });
    expect(result.capabilities).not.toHaveProperty('units');
    // The guard, options of tool and class, and the member of ToolContext
    expect((await wire.call('work')).result.content[0].text).toBe('9 left');
    expect(server!.explain('work')!.steps).toContainEqual(
      expect.objectContaining({ name: 'units', detail: '3 units' }),
    );
    expect((await wire.call('workHard')).result.content[0].text).toBe('done');
    expect((await wire.call('work')).result).toMatchObject({
      isError: true,
      content: [{ text: 'No units are left.' }],
    });
    // Methods
    expect((await wire.request('units/get')).result).toMatchObject({
      left: 1,
      fields: [{ package: 'hand-made', value: { price: 2 } }],
    });
    expect((await wire.request('units/reset', { subject: 'ann' })).result).toMatchObject({});
    expect((await wire.request('units/get')).result).toMatchObject({ left: 12 });
  });

  test('is asked for its option', async () => {
    const wrong = application({ services: [], units: { each: 'many' as never } });
    await expect(wrong).rejects.toThrow('The option "units.each" must be a positive integer, not "many".');
  });

  test('that is not installed is a boot error that names it', async () => {
    expect(await problemsOf({ services: [], weights: true } as Partial<ServerOptions>)).toEqual([
      {
        code: 'TW_PACKAGE_MISSING',
        message:
          'The option "weights" of createMcpServer needs the package @made-up/weights, which is not installed.',
        fix: 'Run `npm install @made-up/weights`, or leave out "weights".',
        location: expect.stringMatching(/booting\.ts:\d+:\d+$/),
      },
    ]);
  });

  test('is not looked for without its option, and what it adds to decorators is then ignored', async () => {
    class Searched {
      /** Finds. */
      @McpTool({ searchTerms: ['look'] } as object) find() {}
    }
    const found = handMadeManifest({ file: 'src/searched.ts', name: 'Searched', methods: { find: [] } });
    server = await boot({ services: [Searched], manifest: found });
    expect(server.tools.list()).toHaveLength(1);
    expect(server.tools.list()[0]!.extra).toBeUndefined();
  });
});

describe('a package whose decorator is on a service', () => {
  @McpService({ units: 4 })
  @Metered()
  class Counted {
    /** Works. */
    @McpTool() work() {}
  }
  const counted = handMadeManifest({ file: 'src/counted.ts', name: 'Counted', methods: { work: [] } });
  const stepsOf = () => server!.explain('work')!.steps.map(({ name }) => name);

  test('is started with the server, and its option is known', async () => {
    server = await boot({ services: [Counted], manifest: counted, units: { each: 4 } });
    const wire = StatelessWire.of(server, 'ann');
    expect(stepsOf()).toContain('units');
    await wire.call('work');
    expect((await wire.request('units/get')).result).toMatchObject({ left: 0 });
  });

  test('is started when the service comes later', async () => {
    server = await boot({ services: [], manifest: counted });
    expect((await new StatelessWire(server).request('units/get')).error).toMatchObject({ code: -32601 });
    await server.services.add(Counted);
    expect(stepsOf()).toContain('units');
  });
});

describe('a package that is started by a call', () => {
  test('adds to a running server, and starts once', async () => {
    server = await boot({ services: [] });
    const wire = StatelessWire.of(server, 'ann');
    expect((await wire.request('units/get')).error).toMatchObject({ code: -32601 });
    server.tools.add({ name: 'before', description: 'Was there before.', handler: () => 'x' });
    const parts = await extend(server, unitsExtension);
    expect(await extend(server, unitsExtension)).toBe(parts);
    server.tools.add({ name: 'costly', description: 'Costs.', units: 10, handler: () => 'x' });
    const names = async () => (await wire.request('tools/list')).result.tools.map(({ name }: any) => name);
    expect(await names()).toEqual(['before', 'buy_units', 'costly']);
    await wire.call('costly');
    expect([parts.left({ subject: 'ann', scopes: [] }), await names()]).toEqual([0, ['buy_units']]);
    // Each caller has a list of its own, and every tool stays callable by its own name.
    const others = (await StatelessWire.of(server, 'bob').request('tools/list')).result;
    expect([others.tools.length, others.cacheScope]).toEqual([3, 'private']);
    expect((await wire.call('before')).result.content[0].text).toBe('x');
    server.tools.update('costly', { units: 1, description: 'Costs less.' });
    expect(server.tools.list().find(({ name }) => name === 'costly')!.extra).toEqual({ units: 1 });
    await server.close(0);
    expect(parts.log).toEqual(['ready', 'closed']);
  });

  test('answers its methods in the eras that it names', async () => {
    server = await boot({ services: [] });
    await extend(server, unitsExtension);
    const wire = new StatefulWire(server);
    wire.tell(2, 'units/get');
    wire.tell(3, 'units/reset');
    const answers = await Promise.all([2, 3].map((id) => wire.inbox.find((message) => message.id === id)));
    expect(answers).toMatchObject([{ result: { left: 10 } }, { error: { code: -32601 } }]);
    expect(wire.said[0].result.capabilities.extensions).toEqual({ 'example/units': { each: 10 } });
  });

  test('cannot show a caller what it may not see', async () => {
    server = await boot({ services: [], authorize: (_principal, { name }) => name !== 'secret' });
    server.tools.add({ name: 'secret', description: 'Is hidden.', handler: () => 'x' });
    await extend(server, {
      name: 'all',
      start: ({ server: own }) => ({ lists: { tools: () => own.tools.list() } }),
    });
    expect((await new StatelessWire(server).request('tools/list')).result.tools).toEqual([]);
  });

  test('says of its tool to each caller what depends on what the caller may see', async () => {
    server = await boot({ services: [] });
    let listed!: ListView;
    const worst: DescribeTool = (visible) => ({
      description: `Runs ${visible.flatMap(({ name }) => (name === 'all' ? [] : [name])).join(' and ')}.`,
      annotations: { destructiveHint: visible.some(({ annotations }) => annotations.destructiveHint) },
    });
    const extension: Extension = {
      name: '@made-up/runs',
      start: (host) => {
        listed = host.listed;
        return {
          describe: { all: worst },
          methods: [
            {
              name: 'runs/describe',
              handle: (_params, request) => listed.published(tools.list().find(isRunner)!, request),
            },
          ],
        };
      },
    };
    const { tools } = server;
    const isRunner = ({ name }: { name: string }) => name === 'all';
    tools.add([
      { name: 'all', description: 'Runs tools.', handler: () => 'x' },
      { name: 'look', description: 'Looks.', annotations: { readOnlyHint: true }, handler: () => 'x' },
      {
        name: 'erase',
        description: 'Erases.',
        annotations: { destructiveHint: true },
        policies: [RequireScopes.entry('erase')],
        handler: () => 'x',
      },
    ]);
    await extend(server, extension);
    const of = async (wire: StatelessWire) => {
      const { result } = await wire.request('tools/list');
      const { _meta, ...described } = (await wire.request('runs/describe')).result;
      expect(described).toMatchObject(result.tools.find(isRunner));
      return [result.tools.find(isRunner), result.cacheScope];
    };
    const bob = await of(StatelessWire.of(server, 'bob'));
    const ann = await of(StatelessWire.of(server, 'ann', {}, ['erase']));
    expect(bob).toMatchObject([
      { description: 'Runs look.', annotations: { destructiveHint: false } },
      'private',
    ]);
    expect(ann).toMatchObject([
      { description: 'Runs look and erase.', annotations: { destructiveHint: true } },
      'private',
    ]);
    expect(await of(StatelessWire.of(server, 'eve'))).toEqual(bob);
    await expect(extend(server, { ...extension, name: '@made-up/other' })).rejects.toThrow(
      'adds what lists say of the tool "all"',
    );
  });

  test('may hide operations by its guard', async () => {
    server = await boot({ services: [] });
    server.tools.add({ name: 'secret', description: 'Is hidden.', handler: () => 'x' });
    const visible = (_operation: unknown, principal?: { subject: string }) => principal?.subject === 'ann';
    await extend(server, {
      name: 'only-ann',
      start: () => ({ guards: [{ name: 'only ann', position: 32, summary: 'Hides all.', visible }] }),
    });
    const [ann, bob] = [StatelessWire.of(server, 'ann'), StatelessWire.of(server, 'bob')];
    expect((await ann.request('tools/list')).result.tools).toHaveLength(1);
    expect((await ann.call('secret')).result.content[0].text).toBe('x');
    expect((await bob.request('tools/list')).result).toMatchObject({ tools: [], cacheScope: 'private' });
    expect((await bob.call('secret')).error).toMatchObject({ code: -32602 });
  });

  test('hides operations by the clock, the limiter and the options of the server', async () => {
    const clock = new FakeClock();
    const closesAt = clock.now() + 1_000;
    server = await boot({ services: [], ports: { clock }, lockedTools: 'listed' });
    server.tools.add({ name: 'shop', description: 'Is open for a while, to one.', handler: () => 'x' });
    const rule = { points: 1, perMs: 60_000 };
    const open: Guard = {
      name: 'open',
      position: 32,
      summary: 'Hides what is closed.',
      visible: (_operation, _principal, { clock: now, localLimiter, options }) =>
        options.lockedTools === 'listed' &&
        now.now() < closesAt &&
        (localLimiter.consume('open', 0, rule) as RateLimitDecision).allowed,
    };
    await extend(server, { name: 'opening-hours', start: () => ({ guards: [open] }) });
    const ann = StatelessWire.of(server, 'ann');
    expect((await ann.request('tools/list')).result.tools).toHaveLength(1);
    await clock.advance(1_000);
    expect((await ann.request('tools/list')).result.tools).toEqual([]);
    expect((await ann.call('shop')).error).toMatchObject({ code: -32602 });
  });

  test('must not add what is there already, and then adds nothing', async () => {
    server = await boot({ services: [] });
    const greedy: Extension = {
      name: '@made-up/greedy',
      toolOptions: { title: { expected: 'a title', accepts: () => true } },
      start: () => ({}),
    };
    await expect(extend(server, greedy)).rejects.toThrow('adds the option "title" of @McpTool');
    const step = () => 'x';
    const all: Extension = {
      name: '@made-up/all',
      start: () => ({
        guards: [{ name: 'mine', position: 50, summary: 'Stands there.', plan: () => ({ step }) }],
        context: { log: () => undefined, mine: () => 1 },
        methods: [
          { name: 'tools/list', handle: () => ({}) },
          { name: 'mine/get', handle: () => ({}) },
        ],
        capabilities: [{ name: 'tools' }],
      }),
    };
    const error = await extend(server, all).catch((reason: Error) => reason as Error);
    for (const what of [
      'the position 50, which the guard "rate limit" has',
      'the member "log" of ToolContext',
      'the method "tools/list"',
      'the capability "tools"',
    ])
      expect((error as Error).message).toContain(
        `The package @made-up/all adds ${what}, and this server has`,
      );
    expect((await new StatelessWire(server).request('mine/get')).error).toMatchObject({ code: -32601 });
  });

  test('has its options of decorators checked where they are written', async () => {
    const methods = { wrong: [], misspelt: [] };
    const known = handMadeManifest({ file: 'src/wrong.ts', name: 'Wrong', methods });
    server = await boot({ services: [], manifest: known });
    await extend(server, unitsExtension);
    class Wrong {
      /** Is wrong. */
      @McpTool({ units: -1 }) wrong() {}
      /** Is misspelt. */
      @McpTool({ unit: 1 } as object) misspelt() {}
    }
    const adding = server.services.add(Wrong);
    await expect(adding).rejects.toThrow('The option "units" must be a positive integer, not -1.');
    await expect(adding).rejects.toThrow('There is no option "unit". Did you mean \'units\'?');
    expect(() => server!.tools.add({ name: 'x', description: 'X.', units: 0, handler: () => 'x' })).toThrow(
      '"units" must be',
    );
  });
});
