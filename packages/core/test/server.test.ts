import 'reflect-metadata';
import {
  ConfigurationError,
  createMcpServer,
  Injectable,
  type Logger,
  McpService,
  McpTool,
  MemoryEventBus,
  RateLimit,
  type ServerEvent,
  type ServerOptions,
  ToolContext,
} from '@toolwright/core';
import { container as tsyringe, singleton } from 'tsyringe';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { ModernWire } from './wire/modern-wire.js';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const file = 'src/tools.ts';

const boot = (options: Partial<ServerOptions>) =>
  createMcpServer({ name: 'test', version: '1', logger: silent, ...options });

async function say(options: Partial<ServerOptions>, name = 'say'): Promise<string> {
  const server = await boot(options);
  const { result } = await new ModernWire(server).call(name, { text: 'x' });
  await server.close(0);
  return result.content[0].text;
}

describe('run-time changes', () => {
  @McpService()
  class Late {
    static disposed = 0;
    @McpTool()
    late(text: string): string {
      return `late ${text}`;
    }
    onDispose() {
      Late.disposed++;
    }
  }
  const manifest = handMadeManifest({ file, name: 'Late', methods: { late: ['text'] } });

  async function observed() {
    const bus = new MemoryEventBus();
    const events: ServerEvent['type'][] = [];
    bus.subscribe(({ type }) => events.push(type));
    const server = await boot({ services: [], manifest, bus });
    return { server, wire: new ModernWire(server), events };
  }

  const echo = {
    name: 'echo',
    description: 'Says it again.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    handler: ({ text }: Record<string, unknown>, ctx: ToolContext) =>
      `${String(text)} ${String(ctx.requestId)}`,
  };

  test('an added tool goes through the same guards as a decorated one', async () => {
    const { server, wire, events } = await observed();
    server.tools.add({ ...echo, policies: [RateLimit.entry({ points: 2, per: '1h' })] });
    expect(events).toEqual(['toolsListChanged']);
    expect((await wire.call('echo', { text: 'hi' })).result.content[0].text).toBe('hi 1');
    expect((await wire.call('echo', { text: 5 })).result.isError).toBe(true);
    expect((await wire.call('echo', { text: 'hi' })).result.content[0].text).toContain('Rate limited');
  });

  test('an updated tool keeps its handler and its place', async () => {
    const { server, wire, events } = await observed();
    server.tools.add(echo);
    server.tools.add({ ...echo, name: 'second' });
    server.tools.update('echo', { description: 'Repeats.', annotations: { readOnlyHint: true } });
    expect(server.tools.list().map(({ name, description }) => [name, description])).toEqual([
      ['echo', 'Repeats.'],
      ['second', 'Says it again.'],
    ]);
    expect((await wire.call('echo', { text: 'hi' })).result.content[0].text).toBe('hi 1');
    expect(server.tools.update('nothing', {})).toBeUndefined();
    expect(events).toHaveLength(3);
  });

  test('a removed tool is gone', async () => {
    const { server, wire, events } = await observed();
    server.tools.add(echo);
    expect(server.tools.remove('echo')).toBe(true);
    expect(server.tools.remove('echo')).toBe(false);
    expect((await wire.call('echo', { text: 'hi' })).error?.code).toBe(-32602);
    expect(events).toHaveLength(2);
  });

  test.each([
    ['a name that is taken', echo, 'TW_NAME_DUPLICATE'],
    ['a name that clients refuse', { ...echo, name: 'no spaces' }, 'TW_NAME_INVALID'],
    ['a hidden character', { ...echo, name: 'b', description: 'a\u{E0041}' }, 'TW_TEXT_HIDDEN'],
    [
      'a reference outside',
      {
        ...echo,
        name: 'b',
        inputSchema: { type: 'object', properties: { a: { $ref: 'http://10.0.0.1/' } } },
      },
      'TW_SCHEMA_INVALID',
    ],
    [
      'another dialect',
      {
        ...echo,
        name: 'b',
        inputSchema: { type: 'object', $schema: 'http://json-schema.org/draft-07/schema#' },
      },
      'TW_SCHEMA_INVALID',
    ],
    [
      'an input that is no object',
      { ...echo, name: 'b', inputSchema: { type: 'string' } },
      'TW_SCHEMA_INVALID',
    ],
    [
      'a header on a number',
      {
        ...echo,
        name: 'b',
        inputSchema: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } },
      },
      'TW_HEADER_INVALID',
    ],
  ])('%s is refused', async (_, definition, code) => {
    const { server } = await observed();
    server.tools.add(echo);
    expect(() => server.tools.add(definition)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ code })] }),
    );
    expect(server.tools.list()).toHaveLength(1);
  });

  test('a property that is called like a keyword is none', async () => {
    const { server } = await observed();
    const properties = {
      $ref: { type: 'string', default: { $ref: 'http://data/' } },
      $schema: { type: 'string' },
    };
    server.tools.add({ ...echo, inputSchema: { type: 'object', properties } });
    expect(server.tools.list()).toHaveLength(1);
  });

  test('services come and go, and are disposed', async () => {
    const { server, wire, events } = await observed();
    await server.services.add(Late);
    expect((await wire.call('late', { text: 'x' })).result.content[0].text).toBe('late x');
    await server.services.remove(Late);
    expect(Late.disposed).toBe(1);
    expect(server.tools.list()).toEqual([]);
    expect(await server.services.remove(Late)).toBe(false);
    await server.services.add(Late);
    expect(events).toEqual(['toolsListChanged', 'toolsListChanged', 'toolsListChanged']);
  });

  test('prompts and resources change as tools do', async () => {
    const { server, wire, events } = await observed();
    server.prompts.add({
      name: 'hello',
      arguments: [{ name: 'who', required: true }],
      handler: ({ who }) => `Hello ${String(who)}`,
    });
    server.resources.add({ name: 'now', uri: 'time://now', handler: () => 'noon' });
    server.resourceTemplates.add({
      name: 'at',
      uriTemplate: 'time://{zone}',
      handler: ({ zone }) => `noon in ${String(zone)}`,
    });
    expect(events).toEqual(['promptsListChanged', 'resourcesListChanged', 'resourcesListChanged']);
    const prompt = await wire.request('prompts/get', { name: 'hello', arguments: { who: 'you' } });
    expect(prompt.result.messages[0].content.text).toBe('Hello you');
    const read = async (uri: string) =>
      (await wire.request('resources/read', { uri })).result.contents[0].text;
    expect([await read('time://now'), await read('time://rome')]).toEqual(['noon', 'noon in rome']);
  });

  test('middleware that is used later reaches the tools it is for', async () => {
    const { server, wire } = await observed();
    server.tools.add(echo);
    server.tools.add({ ...echo, name: 'deadly', annotations: { destructiveHint: true } });
    const seen: string[] = [];
    server.use(
      (call, next) => {
        seen.push(call.operation.name);
        return next();
      },
      { when: ({ annotations }) => annotations.destructiveHint === true },
    );
    await wire.call('echo', { text: 'a' });
    await wire.call('deadly', { text: 'b' });
    expect(seen).toEqual(['deadly']);
  });

  test('a call in flight is waited for before its service is disposed', async () => {
    const { server, wire } = await observed();
    let finish = () => {};
    @McpService()
    class Slow {
      disposed = false;
      @McpTool()
      async late(_text: string): Promise<string> {
        await new Promise<void>((resolve) => (finish = resolve));
        return `disposed: ${this.disposed}`;
      }
      onDispose() {
        this.disposed = true;
      }
    }
    Object.defineProperty(Slow, 'name', { value: 'Late' });
    await server.services.add(Slow);
    const calling = wire.call('late', { text: 'x' });
    await new Promise((resolve) => setImmediate(resolve));
    const removing = server.services.remove(Slow);
    finish();
    expect((await calling).result.content[0].text).toBe('disposed: false');
    expect(await removing).toBe(true);
  });
});

describe('request scope', () => {
  const log: string[] = [];

  @Injectable({ scope: 'request' })
  class Transaction {
    readonly id = log.push('begin');
    constructor(readonly context: ToolContext) {}
    onDispose() {
      log.push(`end of ${String(this.context.requestId)}`);
    }
  }

  @McpService({ scope: 'request' })
  class Tools {
    constructor(private readonly transaction: Transaction) {}
    @McpTool()
    say(text: string): string {
      if (text === 'fail') throw new Error('no');
      return `${text} in ${String(this.transaction.context.requestId)}`;
    }
  }
  const manifest = handMadeManifest({ file, name: 'Tools', methods: { say: ['text'] } });

  test('every call has instances of its own, disposed when it has ended, failed ones too', async () => {
    const server = await boot({ services: [Tools], manifest });
    const wire = new ModernWire(server);
    expect(log).toEqual([]);
    expect((await wire.call('say', { text: 'hi' })).result.content[0].text).toBe('hi in 1');
    expect(log).toEqual(['begin', 'end of 1']);
    expect((await wire.call('say', { text: 'fail' })).result.isError).toBe(true);
    expect(log).toEqual(['begin', 'end of 1', 'begin', 'end of 2']);
    await server.close(0);
  });

  test('instances of calls that overlap are never mixed', async () => {
    const server = await boot({ services: [Tools], manifest, rateLimit: false });
    const wire = new ModernWire(server);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => wire.call('say', { text: `${index}` })),
    );
    expect(answers.map(({ result }) => result.content[0].text)).toEqual(
      answers.map((_, index) => `${index} in ${index + 1}`),
    );
    await server.close(0);
  });

  test('a service in request scope may be built asynchronously', async () => {
    const providers = [
      {
        provide: Transaction,
        scope: 'request' as const,
        useFactory: async () => ({ context: { requestId: 'async' } }),
      },
    ];
    expect(await say({ services: [Tools], manifest, providers })).toBe('x in async');
  });
});

describe('another container', () => {
  @singleton()
  class Greeter {
    greet(text: string) {
      return `Hello ${text}`;
    }
  }

  @singleton()
  @McpService()
  class Greetings {
    constructor(private readonly greeter: Greeter) {}
    @McpTool()
    say(text: string): string {
      return this.greeter.greet(text);
    }
  }
  const manifest = handMadeManifest({ file, name: 'Greetings', methods: { say: ['text'] } });

  test('tsyringe owns the instances when it is the resolver', async () => {
    const resolver = { resolve: (token: unknown) => tsyringe.resolve(token as never) };
    expect(await say({ services: [Greetings], manifest, resolver })).toBe('Hello x');
  });

  test("the server's own providers go before the resolver", async () => {
    const resolver = { resolve: (token: unknown) => tsyringe.resolve(token as never) };
    const providers = [{ provide: Greetings, useValue: new Greetings({ greet: () => 'own' }) }];
    expect(await say({ services: [Greetings], manifest, resolver, providers })).toBe('own');
  });
});

describe('options', () => {
  test('everything wrong with them is told at once', async () => {
    const options = {
      name: '',
      version: 1,
      servces: [],
      pageSize: 0,
      audit: {},
      services: ['Tools'],
    } as never;
    const error = (await createMcpServer(options).catch((reason: unknown) => reason)) as ConfigurationError;
    expect(error.problems.map(({ message }) => message)).toEqual([
      'There is no option "servces".',
      'The option "name" must be a non-empty string, not "".',
      'The option "version" must be a non-empty string, not number.',
      'The option "services" must be a list of classes, not a list of string.',
      'The option "audit" must be { file }, an audit sink, or false, not object.',
      'The option "pageSize" must be a positive integer, not number.',
    ]);
  });

  test('a tool that says too little of itself is warned of', async () => {
    const warnings: string[] = [];
    const logger: Logger = { ...silent, warn: (_, message) => warnings.push(message) };
    @McpService()
    class Quiet {
      @McpTool({ description: '' })
      say(text: string): string {
        return text;
      }
    }
    await boot({
      services: [Quiet],
      logger,
      manifest: handMadeManifest({ file, name: 'Quiet', methods: { say: ['text'] } }),
    });
    expect(warnings).toEqual([
      expect.stringContaining('no description'),
      expect.stringContaining('no annotations'),
    ]);
  });
});

test('a tool explains itself: schemas, policies and the steps of its chain', async () => {
  @McpService()
  class Guarded {
    @McpTool({ annotations: { destructiveHint: true } })
    @RateLimit({ points: 5, per: '1m' })
    say(text: string): string {
      return text;
    }
  }
  const server = await boot({
    services: [Guarded],
    manifest: handMadeManifest({ file, name: 'Guarded', methods: { say: ['text'] } }),
  });
  expect(server.explain('say')).toMatchObject({
    name: 'say',
    key: 'src/tools.ts#Guarded.say',
    location: expect.stringMatching(/server\.test\.ts:\d+:\d+$/),
    input: { required: ['text'] },
    output: null,
    policies: [{ name: 'rateLimit', origin: 'method' }],
    steps: expect.arrayContaining([expect.objectContaining({ origin: 'method' })]),
  });
  expect(server.explain('nothing')).toBeUndefined();
});
