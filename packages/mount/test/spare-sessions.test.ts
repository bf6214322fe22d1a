import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ServerOptions } from '@toolwright/core';
import { type Clock, silentLogger, systemClock } from '@toolwright/core/ports';
import { serveHttp } from '@toolwright/http';
import { type MountOptions, type MountedServer, mountServer } from '@toolwright/mount';
import { AsyncLocalStorage } from 'node:async_hooks';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { childServer } from './support/child.js';
import { type LegacyUpstream, serveLegacy } from './support/legacy-upstream.js';
import { createGateway } from './support/tools.js';
import { until } from '../../../.ci/test/support/until.js';

const open = closedAfterEach();

interface Gateway {
  readonly mount: MountedServer;
  /** A client that nobody can tell from another one. */
  anonymous(name: string, capabilities?: ClientCapabilities): Promise<Client>;
}

async function gatewayOf(mounted: MountOptions, options: Partial<ServerOptions> = {}): Promise<Gateway> {
  const gateway = await createGateway(options);
  open.push(gateway);
  const mount = await mountServer(gateway, 'up', mounted);
  const { url, close } = await serveHttp(gateway, { port: 0, signals: false });
  open.push({ close });
  return {
    mount,
    async anonymous(name, capabilities = {}) {
      const versionNegotiation = { mode: { pin: '2026-07-28' } } as const;
      const client = new Client({ name, version: '1.0.0' }, { capabilities, versionNegotiation });
      if (capabilities.elicitation)
        client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name } }));
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      open.push(client);
      return client;
    },
  };
}

async function before(
  mounted: Partial<MountOptions> = {},
  options: Partial<ServerOptions> = {},
): Promise<Gateway & { upstream: LegacyUpstream }> {
  const upstream = await serveLegacy();
  open.push(upstream);
  return { upstream, ...(await gatewayOf({ url: upstream.url, ...mounted }, options)) };
}

async function textOf(client: Client, name: string, args = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  return (content[0] as { text: string }).text;
}

/** A session is whole when its client listens to it. */
const openedBy = ({ requests }: LegacyUpstream) =>
  requests.filter(({ headers }) => headers.accept === 'text/event-stream').length;

/** After one call: the session for lists and the one that is open ahead. That of the call has ended. */
const isReady = ({ mount, upstream }: Gateway & { upstream: LegacyUpstream }) =>
  until(() => openedBy(upstream) === 3 && mount.status().sessions === 2);

test('a call of an anonymous caller finds a session that is open, and no other call uses it', async () => {
  const gateway = await before();
  const { requests } = gateway.upstream;
  const [ann, bob] = [await gateway.anonymous('ann'), await gateway.anonymous('bob')];
  await textOf(ann, 'keep', { word: 'secret' });
  await isReady(gateway);

  const sent = requests.length;
  expect(await textOf(bob, 'kept')).toBe('nothing');
  // Streams and ends of sessions have no method.
  expect(requests.slice(sent).find(({ method }) => method)).toMatchObject({ method: 'tools/call' });
  const many = Array.from({ length: 12 }, (_, index) => textOf(index % 2 ? ann : bob, 'keep', { word: 'x' }));
  expect(await Promise.all(many)).toEqual(Array(12).fill('1'));
  const used = requests.filter(({ method }) => method === 'tools/call');
  expect(new Set(used.map(({ headers }) => headers['mcp-session-id'])).size).toBe(14);
});

test('the call is answered before its session ends and the next one is opened', async () => {
  const held: (() => void)[] = [];
  const clock: Clock = {
    now: Date.now,
    after(delayMs, run) {
      if (delayMs >= 10) return systemClock.after(delayMs, run);
      held.push(run);
      return () => undefined;
    },
  };
  const gateway = await before({}, { ports: { clock } });
  const { requests } = gateway.upstream;
  const ann = await gateway.anonymous('ann');
  const sent = requests.length;
  await textOf(ann, 'kept');
  const since = requests.slice(sent).map(({ method }) => method);
  expect(since.slice(since.indexOf('tools/call') + 1).filter((method) => method !== undefined)).toEqual([]);
  expect(gateway.upstream.sessions.size).toBe(2);
  for (const run of held.splice(0)) run();
  await isReady(gateway);
  await until(() => gateway.upstream.sessions.size === 2);
});

test('a session that is open ahead ends when nobody calls, and nothing is opened in its place', async () => {
  const gateway = await before({ idle: '50ms' });
  const ann = await gateway.anonymous('ann');
  expect(gateway.mount.status().sessions).toBe(1);
  await textOf(ann, 'kept');
  await isReady(gateway);
  await until(() => gateway.mount.status().sessions === 1 && gateway.upstream.sessions.size === 1);
  const opened = gateway.upstream.requests.filter(({ method }) => method === 'initialize');
  expect(opened).toHaveLength(3);
});

test('it is open for what its caller can do: questions reach a caller that can answer, and no other', async () => {
  const gateway = await before();
  const [ann, bob] = [await gateway.anonymous('ann'), await gateway.anonymous('bob', { elicitation: {} })];
  await textOf(ann, 'kept');
  await isReady(gateway);
  expect(await textOf(bob, 'greet')).toBe('Hello, bob of bob!');
  await until(() => gateway.mount.status().sessions === 3);
  expect(await textOf(bob, 'greet')).toBe('Hello, bob of bob!');
  expect(await ann.callTool({ name: 'greet', arguments: {} })).toMatchObject({ isError: true });
});

test('no more than two are open ahead, whatever clients say that they can do', async () => {
  const gateway = await before();
  const all: ClientCapabilities[] = [{}, { elicitation: {} }, { sampling: {} }, { roots: {} }];
  for (const capabilities of all) await textOf(await gateway.anonymous('ann', capabilities), 'kept');
  await until(() => gateway.mount.status().sessions === 3 && gateway.upstream.sessions.size === 3);
});

test('one that the server has forgotten meanwhile costs no error', async () => {
  const gateway = await before();
  const ann = await gateway.anonymous('ann');
  await textOf(ann, 'kept');
  await isReady(gateway);
  await gateway.upstream.forget();
  expect(await textOf(ann, 'keep', { word: 'a' })).toBe('1');
  expect(gateway.mount.status()).toMatchObject({ state: 'up', failures: 0 });
});

test('a process that starts ahead has no memory of a caller, is within the limit, and logs in no context of a call', async () => {
  const calls = new AsyncLocalStorage<string>();
  const heard: unknown[] = [];
  const logger = {
    ...silentLogger,
    debug: (fields: { line?: string }) => void (fields.line === 'said' && heard.push(calls.getStore())),
  };
  const gateway = await gatewayOf(
    { ...childServer(), maxProcesses: 2 },
    { logger: logger as never, middleware: [(call, next) => calls.run(call.operation.name, next)] },
  );
  const ann = await gateway.anonymous('ann');
  expect(await textOf(ann, 'count')).toBe('1');
  await until(() => gateway.mount.status().processes.length === 2);
  expect(await textOf(ann, 'say')).toBe('said');
  expect(await textOf(ann, 'count')).toBe('1');
  await until(() => heard.length > 0);
  expect(heard).toEqual([undefined]);
  expect(gateway.mount.status().processes.length).toBeLessThanOrEqual(2);
});
