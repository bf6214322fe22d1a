import {
  Audit,
  Cache,
  CompletionProvider,
  Concurrency,
  ConfigurationError,
  Confirm,
  createMcpServer,
  definePolicy,
  Inject,
  Injectable,
  MaxOutput,
  McpApp,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpService,
  McpTool,
  RateLimit,
  type Provider,
} from '@toolwright/core';
import { MemoryEventStore, MemoryTaskStore, systemClock } from '@toolwright/core/ports';
import { handMadeManifest } from '../packages/hand-made-manifest.js';
import { boot, problemsOf } from '../support/booting.js';

async function messagesOf(options: object): Promise<string[]> {
  const given = { name: 'x', version: '1', services: [], ...options } as never;
  const error: unknown = await createMcpServer(given).catch((reason: unknown) => reason);
  if (!(error instanceof ConfigurationError)) throw new Error('The server started.');
  expect(error.problems.map(({ code }) => code)).toEqual(error.problems.map(() => 'TW_OPTION_INVALID'));
  return error.problems.map(({ message }) => message);
}

describe('options of a server', () => {
  test.each<[string, object, string]>([
    ['in rateLimit', { rateLimit: { point: 1 } }, `"rateLimit.point". Did you mean 'points'?`],
    ['in requestState', { requestState: { lifetme: 1 } }, `"requestState.lifetme". Did you mean 'lifetime'?`],
    [
      'in concurrency',
      { concurrency: { perPrinciple: 1 } },
      `"concurrency.perPrinciple". Did you mean 'perPrincipal'?`,
    ],
    ['in output', { output: { hiden: 'drop' } }, `"output.hiden". Did you mean 'hidden'?`],
    [
      'in sessions',
      { sessions: { maxPerPrincipa: 1 } },
      `"sessions.maxPerPrincipa". Did you mean 'maxPerPrincipal'?`,
    ],
    ['in tasks', { tasks: { tll: 1 } }, `"tasks.tll". Did you mean 'ttl'?`],
    [
      'in an icon',
      { about: { icons: [{ src: 'x' }, { src: 'y', mimetype: 'z' }] } },
      `"about.icons[1].mimetype". Did you mean 'mimeType'?`,
    ],
    [
      'in middleware',
      { middleware: [{ middleware: () => 1, whn: () => true }] },
      `"middleware[0].whn". Did you mean 'when'?`,
    ],
    [
      'in a file of audit',
      { audit: { file: '/tmp/none.jsonl', strictTimeot: 1 } },
      `"audit.strictTimeot". Did you mean 'strictTimeout'?`,
    ],
    [
      'in a rotation of audit',
      { audit: { file: '/tmp/none.jsonl', rotate: { maxByte: 1 } } },
      `"audit.rotate.maxByte". Did you mean 'maxBytes'?`,
    ],
  ])('are refused if they are unknown %s, with the nearest name', async (_, options, heard) => {
    expect(await messagesOf(options)).toEqual([`There is no option ${heard}`]);
  });

  test.each<[string, object, string]>([
    [
      'a name of the wrong type',
      { output: { hidden: 'yes' } },
      `"output.hidden" must be 'escape' or 'drop' or 'keep', not "yes".`,
    ],
    [
      'no number',
      { rateLimit: { points: '600' } },
      '"rateLimit.points" must be a positive number, or a function, not "600".',
    ],
    [
      'a span without a unit',
      { timeout: '50' },
      `"timeout" must be a duration such as '50s', or milliseconds, of 100 years at most, or false, not "50".`,
    ],
    [
      'a store that cannot store',
      { stores: { tasks: {} } },
      '"stores.tasks" must be a store with create, get, note, ask, answer, end; a queue extends TaskQueue of @toolwright/queue, not object.',
    ],
    [
      'no logger',
      { audit: { file: '/tmp/none.jsonl', logger: {} } },
      '"audit.logger" must be a logger with debug, info, warn and error, not object.',
    ],
  ])('are refused at every depth if their value is not allowed: %s', async (_, options, heard) => {
    expect(await messagesOf(options)).toEqual([`The option ${heard}`]);
  });

  test('all problems are reported together', async () => {
    const options = {
      rateLimit: { point: 1 },
      audit: { file: 'x', sikns: [] },
      providers: [{ provide: 'a', useValue: 1, scop: 'x' }],
    };
    expect(await messagesOf(options)).toHaveLength(3);
  });

  test('messages do not repeat secrets', async () => {
    const [secrets] = await messagesOf({
      secrets: 'hunter2-hunter2-hunter2-hunter2-hunter2',
    });
    const [key] = await messagesOf({ audit: { file: 'x', key: 12345678 } });
    expect(secrets + key!).not.toMatch(/hunter2|1234/);
  });
});

test.each<[string, unknown, string]>([
  [
    'a factory',
    { provide: 'a', useFactory: () => 1, inject: [], scop: 'request' },
    `"providers[0].scop". Did you mean 'scope'?`,
  ],
  [
    'a factory with another name for its dependencies',
    { provide: 'a', useFactory: () => 1, injects: [] },
    `"providers[0].injects". Did you mean 'inject'?`,
  ],
  [
    'a class',
    { provide: 'a', useClass: class {}, skope: 'request' },
    `"providers[0].skope". Did you mean 'scope'?`,
  ],
  ['a value', { provide: 'a', useValue: 1, scope: 'request' }, '"providers[0].scope".'],
  [
    'a token that may be missing',
    { provide: 'a', useFactory: () => 1, inject: [{ token: 'b', optional: true, optionel: 1 }] },
    `"providers[0].inject[0].optionel". Did you mean 'optional'?`,
  ],
])('a provider with an unknown option is refused: %s', async (_, provider, heard) => {
  expect(await messagesOf({ providers: [provider as Provider] })).toEqual([`There is no option ${heard}`]);
});

describe('options of decorators', () => {
  const wrong = <T>(options: T) => options as never;

  @Injectable(wrong({ scop: 'request' }))
  class Store {}

  @McpService(wrong({ scpe: 'request' }))
  class Wrong {
    constructor(@Inject(Store, wrong({ optionl: true })) readonly store: Store) {}
    @McpTool(wrong({ annotation: {} }))
    annotated(): void {}
    @McpTool({ annotations: wrong({ readonlyHint: true }) })
    hinted(): void {}
    @McpTool()
    @RateLimit(wrong({ point: 1, points: 1, per: '1m' }))
    limited(): void {}
    @McpTool()
    @Concurrency(wrong({ maxx: 1, max: 1 }))
    queued(): void {}
    @McpTool({ annotations: { readOnlyHint: true } })
    @Cache(wrong({ ttl: '1m', entreis: 1 }))
    cached(): void {}
    @McpTool()
    @Confirm('Sure?', wrong({ falback: 'argument' }))
    asked(): void {}
    @McpTool()
    @MaxOutput(wrong({ bytes: 1, byte: 1 }))
    bounded(): void {}
    @McpTool()
    @Audit(wrong({ mod: 'strict' }))
    recorded(): void {}
    @McpTool({ task: wrong({ mode: 'optional', strt: 'explicit' }) })
    long(): void {}
    @McpTool({ ui: wrong({ resourceUrl: 'ui://a/b' }) })
    shown(): void {}
    @McpPrompt(wrong({ titel: 'x' }))
    prompt(): string {
      return '';
    }
    @McpResource({ uri: 'a://b', cache: wrong({ ttl: 1, scop: 'public' }) })
    resource(): string {
      return '';
    }
    @McpResourceTemplate(wrong({ uriTemplate: 'a://{id}', mimetype: 'text/plain' }))
    template(@CompletionProvider(wrong({ values: [], argumnt: 'id' })) id: string): string {
      return id;
    }
    @McpApp(wrong({ uri: 'ui://a/b', preferBorder: true }))
    page(): string {
      return '';
    }
  }

  test('are refused if they are unknown, all together and each at its place', async () => {
    const methods = Object.fromEntries(
      Object.getOwnPropertyNames(Wrong.prototype)
        .filter((name) => name !== 'constructor')
        .map((name) => [name, name === 'template' ? ['id'] : []]),
    );
    const manifest = handMadeManifest({ file: 'src/wrong.ts', name: 'Wrong', methods });
    const problems = await problemsOf({ services: [Wrong], manifest });
    const heard = problems.map(
      ({ message }) => /"([^"]+)"\. Did you mean '(\w+)'/.exec(message)?.slice(1).join(' ') ?? message,
    );
    expect(heard.sort()).toEqual(
      [
        'annotation annotations',
        'annotations.readonlyHint readOnlyHint',
        'argumnt argument',
        'byte bytes',
        'cache.scop scope',
        'entreis entries',
        'falback fallback',
        'maxx max',
        'mimetype mimeType',
        'mod mode',
        'optionl optional',
        'point points',
        'preferBorder prefersBorder',
        'scop scope',
        'scpe scope',
        'task.strt start',
        'titel title',
        'ui.resourceUrl resourceUri',
      ].sort(),
    );
    expect(problems.every(({ code, location }) => code === 'TW_OPTION_INVALID' && location)).toBe(true);
  });

  test('of a class are reported once, however many methods it has', async () => {
    @McpService()
    @RateLimit(wrong({ point: 1, points: 1, per: '1m' }))
    class Limited {
      @McpTool() one(): void {}
      @McpTool() two(): void {}
    }
    const manifest = handMadeManifest({
      file: 'src/limited.ts',
      name: 'Limited',
      methods: { one: [], two: [] },
    });
    expect(await problemsOf({ services: [Limited], manifest })).toHaveLength(1);
  });
});

describe('definitions that are added at run time', () => {
  const handler = () => '';
  const add = async (change: (server: Awaited<ReturnType<typeof boot>>) => unknown) => {
    const server = await boot({});
    try {
      change(server);
      return 'added';
    } catch (error) {
      return (error as ConfigurationError).problems[0]!.message;
    } finally {
      await server.close(0);
    }
  };

  test.each<[string, (server: Awaited<ReturnType<typeof boot>>) => unknown, string]>([
    [
      'a tool',
      ({ tools }) => tools.add({ name: 'a', handler, annotation: {} } as never),
      `"annotation". Did you mean 'annotations'?`,
    ],
    [
      "a tool's annotations",
      ({ tools }) => tools.add({ name: 'a', handler, annotations: { readOnly: true } as never }),
      `"annotations.readOnly".`,
    ],
    [
      'a prompt',
      ({ prompts }) =>
        prompts.add({ name: 'a', handler, arguments: [{ name: 'b', requird: true } as never] }),
      `"arguments[0].requird". Did you mean 'required'?`,
    ],
    [
      'a resource',
      ({ resources }) => resources.add({ name: 'a', uri: 'a://b', handler, mimetype: 'x' } as never),
      `"mimetype". Did you mean 'mimeType'?`,
    ],
    [
      'a template',
      ({ resourceTemplates }) =>
        resourceTemplates.add({ name: 'a', uriTemplate: 'a://{b}', handler, complet: {} } as never),
      `"complet". Did you mean 'complete'?`,
    ],
    [
      'middleware',
      (server) => server.use((_, next) => next(), { wen: () => true } as never),
      `"wen". Did you mean 'when'?`,
    ],
  ])('are refused with unknown options: %s', async (_, change, heard) => {
    expect(await add(change)).toBe(`There is no option ${heard}`);
  });

  test('are refused in an update as well', async () => {
    const heard = await add(({ tools }) => {
      tools.add({ name: 'a', handler });
      tools.update('a', { titel: 'x' } as never);
    });
    expect(heard).toBe(`There is no option "titel". Did you mean 'title'?`);
  });

  test('may contain the fields that another server publishes', async () => {
    const upstream = {
      name: 'a',
      description: 'An a.',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      execution: { taskSupport: 'forbidden' },
      _meta: { 'example.com/kept': 1 },
    };
    const server = await boot({});
    const tool = server.tools.add({ ...upstream, handler } as Parameters<typeof server.tools.add>[0]);
    expect(tool.meta).toEqual({ 'example.com/kept': 1 });
    await server.close(0);
  });
});

test('the error for a wrong word names the nearest one', async () => {
  const [message] = await messagesOf({ security: { mode: 'strict', relax: ['audit', 'scope'] } });
  expect(message).toMatch(/^The option "security\.relax" must be a list of .* Did you mean 'scopes'\?$/);
  const [mode] = await messagesOf({ security: 'stric' });
  expect(mode).toContain("Did you mean 'strict'?");
});

test('a manifest object that is invalid is refused like its file', async () => {
  expect(await problemsOf({ manifest: { formt: 1 } as never })).toEqual([
    expect.objectContaining({
      code: 'TW_MANIFEST_INVALID',
      message: expect.stringContaining('the given manifest is not a Toolwright manifest: it has no "format"'),
    }),
  ]);
});

test('a wrong caching time of a resource is reported once', async () => {
  @McpService()
  class Notes {
    @McpResource({ uri: 'note://all', cache: { ttl: -1 } })
    all(): string {
      return '';
    }
  }
  const manifest = handMadeManifest({ file: __filename, name: 'Notes', methods: { all: [] } });
  expect(await problemsOf({ services: [Notes], manifest })).toHaveLength(1);
});

test('stores in memory refuse unknown limits', () => {
  expect(() => new MemoryTaskStore(systemClock, { maxPerOwnr: 1 } as never)).toThrow(/'maxPerOwner'/);
  expect(() => new MemoryEventStore({ maxEvent: 1 } as never)).toThrow(/'maxEvents'/);
});

test('the definition of a policy refuses unknown options', () => {
  expect(() => definePolicy('owner', { applisTo: ['tool'] } as never)).toThrow(/"applisTo".*'appliesTo'/);
});

test('the error for an app names the list or permission that was meant', async () => {
  const server = await boot({});
  const add = (ui: object) => () =>
    server.resources.add({ name: 'page', uri: 'ui://page', ui, handler: () => '' });
  expect(add({ csp: { connectDomain: [] } })).toThrow(/"connectDomain".*\n.*'connectDomains'/);
  expect(add({ permissions: { camra: {} } })).toThrow(/camra.*\n.*'camera'/);
  await server.close(0);
});
