import { join } from 'node:path';
import {
  Inject,
  Injectable,
  McpPrompt,
  McpService,
  McpTool,
  type McpServer,
  type Provider,
} from '@toolwright/core';
import type { Manifest } from '@toolwright/manifest';
import { buildManifest } from '@toolwright/schema-compiler';
import { CLOCK, Plain, Transaction } from '../fixtures/injection/src/clock.js';
import { InjectedTools, WholeTool } from '../fixtures/injection/src/injected-tools.js';
import { handMadeManifest } from '../packages/hand-made-manifest.js';
import { boot, problemsOf } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const providers: Provider[] = [Plain, { provide: CLOCK, useValue: { now: () => 'noon' } }];
let manifest: Manifest;
let server: McpServer;
let wire: StatelessWire;

beforeAll(async () => {
  ({ manifest } = await buildManifest({ project: join(__dirname, '../fixtures/injection/tsconfig.json') }));
});

beforeEach(async () => {
  server = await boot({ services: [InjectedTools, WholeTool], providers, manifest });
  wire = new StatelessWire(server);
});

afterEach(() => server.close(0));

const textOf = async (name: string, args: Record<string, unknown> = {}) =>
  (await wire.call(name, args)).result.content[0].text as string;

test.each([
  ['by a token', 'byToken', 'hi noon 1 undefined'],
  ['by its type', 'byType', 'hi true test'],
  ["by its type, which the server's list provides", 'listed', 'hi plain'],
  ['into an inherited method', 'inherited', 'hi noon'],
  ['into an overriding method', 'overridden', 'own hi noon'],
  ['into a static method', 'onClass', 'hi noon'],
  ['into a class that is a tool', 'whole', 'hi 2 noon'],
])('the container injects a parameter %s', async (_, name, expected) => {
  expect(await textOf(name, { text: 'hi' })).toBe(expected);
});

test('no schema contains an injected parameter, and a client that sends one is refused', async () => {
  const { result } = await wire.request('tools/list');
  for (const { name, inputSchema } of result.tools) {
    const takesText = !['listedAlone', 'perCall'].includes(name);
    expect([name, Object.keys(inputSchema.properties ?? {})]).toEqual([name, takesText ? ['text'] : []]);
    expect(inputSchema.additionalProperties).toBe(false);
    for (const injected of ['clock', 'plain', 'store', 'first', 'greeting']) {
      const refused = (await wire.call(name, { ...(takesText && { text: 'hi' }), [injected]: { now: 1 } }))
        .result;
      expect([name, refused.isError]).toEqual([name, true]);
      expect(refused.content[0].text).toContain(injected);
    }
  }
});

test('a parameter that was the whole input is injected, and gets nothing from the client', async () => {
  expect(await textOf('listedAlone')).toBe('plain');
});

test('request scope has one instance for each call, disposed when the call ends', async () => {
  Transaction.log.length = 0;
  expect(await textOf('perCall')).toBe('true 1');
  expect(await textOf('perCall')).toBe('true 2');
  expect(Transaction.log).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
});

test('prompts, resources and templates publish only their own arguments', async () => {
  const { result } = await wire.request('prompts/list');
  expect(result.prompts[0].arguments).toEqual([{ name: 'row', required: true }]);
  const prompt = await wire.request('prompts/get', { name: 'prompt', arguments: { row: 'x' } });
  expect(prompt.result.messages[0].content.text).toBe('x noon');
  const read = async (uri: string) => (await wire.request('resources/read', { uri })).result.contents[0].text;
  expect(await read('time://now')).toBe('noon number');
  expect(await read('row://1')).toBe('beta');
});

test('a completion provider gets its own parameters, even if it lives for one request', async () => {
  const { result } = await wire.request('completion/complete', {
    ref: { type: 'ref/prompt', name: 'prompt' },
    argument: { name: 'row', value: 'b' },
    context: { arguments: { row: 'y' } },
  });
  expect(result.completion.values).toEqual(['beta row@noon']);
});

test('services that are added while the server runs also get injected parameters', async () => {
  const empty = await boot({ services: [], providers, manifest });
  await empty.services.add(WholeTool);
  const { result } = await new StatelessWire(empty).call('whole', { text: 'later' });
  expect(result.content[0].text).toBe('later 2 noon');
  await empty.close(0);
});

describe('a server does not start', () => {
  const file = 'src/tools.ts';
  class Missing {
    find(): string {
      return '';
    }
  }

  test('if nothing provides what a method needs', async () => {
    @McpService()
    class Tools {
      @McpTool()
      find(query: string, @Inject('dsn') dsn: string): string {
        return `${query}${dsn}`;
      }
    }
    const made = handMadeManifest({ file, name: 'Tools', methods: { find: ['query', 'dsn'] } });
    expect(await problemsOf({ services: [Tools], manifest: made })).toMatchObject([
      {
        code: 'TW_DEPENDENCY_MISSING',
        message: 'Nothing provides "dsn": Tools.find needs "dsn" as parameter 1 (dsn).',
        location: expect.stringContaining('injected-parameters.test.ts'),
      },
    ]);
  });

  test('if an argument is a class with methods and no data, and nothing provides it', async () => {
    @McpService()
    class Tools {
      @McpTool()
      find(query: string, missing: Missing): string {
        return `${query}${missing.find()}`;
      }
    }
    const made = handMadeManifest({ file, name: 'Tools', methods: { find: ['query', 'missing'] } });
    made.schemas['query,missing']!.properties!['missing'] = { type: 'object', additionalProperties: false };
    expect(await problemsOf({ services: [Tools], manifest: made })).toMatchObject([
      { code: 'TW_DEPENDENCY_MISSING', message: expect.stringContaining('Nothing provides Missing') },
    ]);
  });

  test('if @Inject is on a parameter of a method that only other code calls', async () => {
    @McpService()
    class Tools {
      @McpTool()
      find(query: string): string {
        return query;
      }
      setUp(@Inject('dsn') dsn: string): void {
        void dsn;
      }
    }
    const made = handMadeManifest({ file, name: 'Tools', methods: { find: ['query'] } });
    expect(await problemsOf({ services: [Tools], manifest: made })).toMatchObject([
      { code: 'TW_DECORATOR_PLACE', message: expect.stringContaining('Tools.setUp') },
    ]);
  });

  test('if nothing describes what a completion provider needs', async () => {
    @Injectable()
    class Rows {
      complete(typed: string, _known: object, _request: object, store: { rows: string[] }): string[] {
        return store.rows.filter((row) => row.startsWith(typed));
      }
    }
    @McpService()
    class Tools {
      @McpPrompt()
      find(query: string): string {
        return query;
      }
    }
    const { CompletionProvider } = await import('@toolwright/core');
    CompletionProvider({ provider: Rows })(Tools.prototype, 'find', 0);
    const made = handMadeManifest({ file, name: 'Tools', methods: { find: ['query'] } });
    expect(await problemsOf({ services: [Tools], manifest: made })).toMatchObject([
      { code: 'TW_DEPENDENCY_UNKNOWN', message: expect.stringContaining('Rows.complete') },
    ]);
  });
});

test('an older manifest with the parameter as an argument no longer publishes it', async () => {
  @McpService()
  class Tools {
    @McpTool()
    find(query: string, @Inject('dsn') dsn: string): string {
      return `${query} ${dsn}`;
    }
  }
  const older = handMadeManifest({
    file: 'src/tools.ts',
    name: 'Tools',
    methods: { find: ['query', 'dsn'] },
  });
  const dsn: Provider = { provide: 'dsn', useValue: 'postgres://' };
  const served = await boot({ services: [Tools], manifest: older, providers: [dsn] });
  const client = new StatelessWire(served);
  expect((await client.request('tools/list')).result.tools[0].inputSchema).toMatchObject({
    properties: { query: { type: 'string' } },
    required: ['query'],
  });
  expect((await client.call('find', { query: 'x' })).result.content[0].text).toBe('x postgres://');
  await served.close(0);
});
