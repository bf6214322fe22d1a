import {
  Inject,
  Injectable,
  McpService,
  McpTool,
  ToolContext,
  type McpServer,
  type Provider,
} from '@toolwright/core';
import type { Connection } from '@toolwright/core/transport';
import { handMadeManifest } from '../packages/hand-made-manifest.js';
import { boot, problemsOf } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const log: string[] = [];
let made = 0;
beforeEach(() => {
  log.length = 0;
  made = 0;
});

@Injectable({ scope: 'session' })
class Browser {
  readonly id = ++made;
  readonly pages: string[] = [];
  async onInit(): Promise<void> {
    await Promise.resolve();
    log.push(`open ${this.id}`);
  }
  async onDispose(): Promise<void> {
    await Promise.resolve();
    log.push(`close ${this.id}: ${this.pages.join()}`);
  }
}

@McpService({ scope: 'session' })
class Browsing {
  constructor(private readonly browser: Browser) {}

  @McpTool()
  visit(page: string, ctx: ToolContext, same: Browser): string {
    this.browser.pages.push(page);
    return `${this.browser.pages.join()} ${same === this.browser} ${ctx?.sessionId ? 'in a session' : 'without'}`;
  }

  @McpTool()
  slow(page: string, ctx: ToolContext): Promise<string> {
    this.browser.pages.push(page);
    return new Promise((resolve) => (finish = () => resolve(ctx ? page : '')));
  }
}
let finish: () => void;

const manifest = handMadeManifest({
  file: 'src/browsing.ts',
  name: 'Browsing',
  methods: { visit: ['page', 'ctx', 'same'], slow: ['page', 'ctx'] },
});
for (const entry of manifest.entries) {
  entry.parameters[1] = { name: 'ctx', kind: 'inject', inject: 'ToolContext' };
  manifest.schemas[entry.input] = {
    type: 'object',
    properties: { page: { type: 'string' } },
    required: ['page'],
  };
  if (entry.parameters[2]) entry.parameters[2] = { name: 'same', kind: 'inject', inject: 'provider' };
}

/** A client of the older era on its own connection, which is a session. */
class Client {
  readonly connection: Connection;
  readonly #waiting = new Map<number, (answer: any) => void>();
  #id = 0;

  constructor(server: McpServer) {
    const peer = { principal: undefined, ip: undefined, transport: 'memory' as const };
    this.connection = server.protocol.connect(peer, (text) => {
      const answer = JSON.parse(text) as { id: number };
      this.#waiting.get(answer.id)?.(answer);
    });
  }

  static async open(server: McpServer): Promise<Client> {
    const client = new Client(server);
    await client.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    return client;
  }

  request(method: string, params: object): Promise<any> {
    const id = ++this.#id;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.connection.receive({ jsonrpc: '2.0', id, method, params });
    });
  }

  async call(name: string, page: string): Promise<string> {
    const { result } = await this.request('tools/call', { name, arguments: { page } });
    return result.content[0].text as string;
  }
}

const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('two sessions never share an instance, but calls of one session do', async () => {
  const server = await boot({ services: [Browsing], manifest });
  const [one, two] = [await Client.open(server), await Client.open(server)];
  expect(made).toBe(0);
  const answers = await Promise.all([
    ...['a', 'b', 'c'].map((page) => one.call('visit', page)),
    ...['x', 'y'].map((page) => two.call('visit', page)),
  ]);
  expect(answers).toEqual([
    'a true in a session',
    'a,b true in a session',
    'a,b,c true in a session',
    'x true in a session',
    'x,y true in a session',
  ]);
  expect(log).toEqual(['open 1', 'open 2']);
  await server.close(0);
});

test('instances of a session are disposed when it ends, and other sessions continue', async () => {
  const server = await boot({ services: [Browsing], manifest });
  const ended: string[] = [];
  server.on('sessionEnd', ({ sessionId }) => void ended.push(sessionId));
  const [one, two] = [await Client.open(server), await Client.open(server)];
  await one.call('visit', 'a');
  await two.call('visit', 'x');
  one.connection.close();
  await settle();
  expect(log).toEqual(['open 1', 'open 2', 'close 1: a']);
  expect(ended).toHaveLength(1);
  expect(await two.call('visit', 'y')).toContain('x,y');
  await server.close(0);
  expect(log.at(-1)).toBe('close 2: x,y');
});

test('instances of a running call are disposed when the call ends', async () => {
  const server = await boot({ services: [Browsing], manifest, timeout: false });
  const client = await Client.open(server);
  void client.call('slow', 'a');
  await settle();
  client.connection.close();
  await settle();
  const duringTheCall = [...log];
  finish();
  await settle();
  expect([duringTheCall, log]).toEqual([['open 1'], ['open 1', 'close 1: a']]);
  await server.close(0);
});

test('a server that closes disposes session instances before what they were built with', async () => {
  const providers: Provider[] = [
    { provide: 'engine', useFactory: () => ({ onDispose: () => void log.push('engine') }) },
    { provide: Browser, scope: 'session', inject: ['engine'], useFactory: (engine: object) => ({ engine, pages: [], onDispose: () => void log.push('browser') }) },
  ]; // prettier-ignore
  const server = await boot({ services: [Browsing], manifest, providers });
  await (await Client.open(server)).call('visit', 'a');
  await server.close(0);
  expect(log).toEqual(['browser', 'engine']);
});

test('a removed service is disposed in every session', async () => {
  const server = await boot({ services: [Browsing], manifest });
  const client = await Client.open(server);
  await client.call('visit', 'a');
  await server.services.remove(Browsing);
  expect(log).toEqual(['open 1', 'close 1: a']);
  await server.close(0);
});

test('after a factory failed, the next call of the session tries again', async () => {
  let tries = 0;
  const useFactory = async () => {
    if (++tries === 1) throw new Error('no browser');
    return { pages: [] };
  };
  const server = await boot({ services: [Browsing], manifest, providers: [{ provide: Browser, scope: 'session', useFactory }] }); // prettier-ignore
  const client = await Client.open(server);
  expect(await client.call('visit', 'a')).toContain('Internal error');
  expect(await client.call('visit', 'b')).toContain('b true');
  await server.close(0);
});

test('on 2026-07-28, which has no sessions, the answer says so and what to use instead', async () => {
  const server = await boot({ services: [Browsing], manifest });
  const { result } = await new StatelessWire(server).call('visit', { page: 'a' });
  expect(result).toMatchObject({ isError: true });
  expect(result.content[0].text).toMatch(/"visit" keeps state for each session.*2026-07-28 has no sessions/);
  expect(result.content[0].text).toMatch(/pass back as an argument.*ctx\.principal/);
  expect(made).toBe(0);
  await server.close(0);
});

test('a server that only serves that revision does not start with session scope', async () => {
  expect(await problemsOf({ services: [Browsing], manifest, stateful: false })).toMatchObject([
    { code: 'TW_SESSION_REQUIRED', message: expect.stringContaining('Browsing') },
  ]);
});

test.each([
  ['singleton', 'session', 'Tools lives as long as the server'],
  ['session', 'request', 'Tools lives as long as a session'],
] as const)('a %s cannot depend on something that lives for one %s', async (scope, held, message) => {
  @McpService({ scope })
  class Tools {
    constructor(@Inject('held') readonly it: string) {}
    @McpTool()
    find(query: string): string {
      return `${query}${this.it}`;
    }
  }
  const providers: Provider[] = [{ provide: 'held', scope: held, useFactory: () => 'x' }];
  const wanted = handMadeManifest({ file: 'src/tools.ts', name: 'Tools', methods: { find: ['query'] } });
  expect(await problemsOf({ services: [Tools], manifest: wanted, providers })).toMatchObject([
    { code: 'TW_DEPENDENCY_CAPTIVE', message: expect.stringContaining(message) },
  ]);
});

test('a service in request scope sees the session of its call', async () => {
  @Injectable({ scope: 'request' })
  class Visit {
    constructor(
      readonly browser: Browser,
      readonly context: ToolContext,
    ) {}
  }
  @McpService({ scope: 'request' })
  class Tools {
    constructor(private readonly visit: Visit) {}
    @McpTool()
    visit_page(page: string): string {
      this.visit.browser.pages.push(page);
      return `${this.visit.browser.id} ${this.visit.browser.pages.length} ${this.visit.context.sessionId !== undefined}`;
    }
  }
  const wanted = handMadeManifest({ file: 'src/tools.ts', name: 'Tools', methods: { visit_page: ['page'] } });
  const server = await boot({ services: [Tools], manifest: wanted });
  const [one, two] = [await Client.open(server), await Client.open(server)];
  const answers = [await one.call('visit_page', 'a'), await two.call('visit_page', 'x'), await one.call('visit_page', 'b')]; // prettier-ignore
  expect(answers).toEqual(['1 1 true', '2 1 true', '1 2 true']);
  await server.close(0);
});
