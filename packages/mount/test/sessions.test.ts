import { connect } from '@toolwright/client';
import type { McpServer, Principal } from '@toolwright/core';
import { extend } from '@toolwright/core/extend';
import { serveHttp } from '@toolwright/http';
import { mountServer } from '@toolwright/mount';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { type LegacyUpstream, serveLegacy } from './support/legacy-upstream.js';
import { createGateway, createUpstream, serveUpstream } from './support/tools.js';
import { until } from '../../../.ci/test/support/until.js';

const open = closedAfterEach();

const person = (subject: string): Principal => ({ issuer: 'https://issuer.test', subject, scopes: [] });

async function clientOf(server: McpServer, options: object = {}) {
  const client = await connect(server, options as never);
  open.push(client);
  return client;
}

async function legacy(options: object = {}): Promise<{ gateway: McpServer; upstream: LegacyUpstream }> {
  const upstream = await serveLegacy();
  const gateway = await createGateway();
  open.push(upstream, gateway);
  await mountServer(gateway, 'up', { url: upstream.url, ...options });
  return { gateway, upstream };
}

describe.each(['2026-07-28', '2025-11-25'])('callers of %s', (revision) => {
  test('never share the state of a server that keeps some', async () => {
    const { gateway } = await legacy();
    const names = ['ann', 'bob', 'cy'];
    const clients = await Promise.all(
      names.map((name) => clientOf(gateway, { revision, principal: person(name) })),
    );
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        clients[index % 3]!.call('keep', { word: `${names[index % 3]}-${Math.floor(index / 3)}` }),
      ),
    );
    for (const [index, client] of clients.entries()) {
      const words = (await client.callText('kept')).split(' ');
      expect(words).toHaveLength(10);
      expect(words.every((word) => word.startsWith(names[index]!))).toBe(true);
    }
  });

  test('get the questions of their own calls, also when all are asked at the same time', async () => {
    const { gateway } = await legacy();
    const names = ['ann', 'bob', 'cy', 'dee'];
    const answers = await Promise.all(
      names.map(async (name) => {
        const elicit = () => ({ action: 'accept' as const, content: { name } });
        const client = await clientOf(gateway, { revision, principal: person(name), elicit });
        return Promise.all([1, 2, 3].map(() => client.callText('greet')));
      }),
    );
    expect(answers).toEqual(names.map((name) => Array(3).fill(`Hello, ${name} of ${name}!`)));
  });
});

test('anonymous callers of 2026-07-28 over HTTP share nothing, and leave nothing behind', async () => {
  const { gateway, upstream } = await legacy();
  const served = await serveHttp(gateway, { port: 0, signals: false });
  open.push(served);
  const call = async (name: string, args: object) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const response = await fetch(served.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args, _meta },
      }),
    });
    return (await response.json()) as { result: { content: { text: string }[] } };
  };
  await call('keep', { word: 'secret' });
  expect((await call('kept', {})).result.content[0]!.text).toBe('nothing');
  const mounts = (await gateway.operate('test').state()).mounts as readonly { sessions: number }[];
  // One for lists, and one that is open for the next call.
  expect(mounts[0]!.sessions).toBeLessThanOrEqual(2);
  await until(() => upstream.sessions.size <= 2);
});

test('a session ends with the session of its caller', async () => {
  const { gateway } = await legacy();
  const client = await connect(gateway, { revision: '2025-11-25' });
  await client.call('keep', { word: 'a' });
  const sessions = async () =>
    ((await gateway.operate('t').state()).mounts as readonly { sessions: number }[])[0]!.sessions;
  expect(await sessions()).toBe(2);
  await client.close();
  expect(await sessions()).toBe(1);
});

test('callers share the session of a server that cannot keep state', async () => {
  const upstream = await createUpstream();
  const { url, served } = await serveUpstream(upstream);
  const gateway = await createGateway();
  open.push({ close: () => served.close() }, gateway);
  const mount = await mountServer(gateway, 'up', { url });
  for (const name of ['ann', 'bob']) {
    const client = await clientOf(gateway, { principal: person(name) });
    expect(await client.callText('echo', { text: name })).toBe(name);
  }
  expect(mount.status()).toMatchObject({ sessions: 1, isShared: true, era: 'stateless' });
});

test('with "shared", all callers use one session by the wish of the author', async () => {
  const { gateway } = await legacy({ sessions: 'shared' });
  const [ann, bob] = await Promise.all(
    ['ann', 'bob'].map((name) => clientOf(gateway, { principal: person(name) })),
  );
  await ann!.call('keep', { word: 'ours' });
  expect(await bob!.callText('kept')).toBe('ours');
});

describe('credentials', () => {
  test('of each user come from ctx.tokenFor, and the token of the caller is never passed on', async () => {
    const upstream = await serveLegacy();
    const gateway = await createGateway();
    open.push(upstream, gateway);
    const tokenFor = (call: { request: { principal?: Principal } }) => (resource: string) =>
      Promise.resolve(`${call.request.principal!.subject} for ${resource}`.replaceAll(' ', '-'));
    await extend(gateway, { name: 'tokens', start: () => ({ context: { tokenFor: tokenFor as never } }) });
    await mountServer(gateway, 'up', { url: upstream.url, auth: 'user' });
    const before = upstream.requests.length;
    for (const name of ['ann', 'bob']) {
      const client = await clientOf(gateway, { principal: person(name) });
      await client.call('keep', { word: name });
      expect(await client.callText('kept')).toBe(name);
    }
    const sent = upstream.requests.slice(before).filter(({ method }) => method === 'tools/call');
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(
      ['ann', 'ann', 'bob', 'bob'].map((name) => `Bearer ${name}-for-${upstream.url}`),
    );
  });

  test('of a user are asked for before anything is sent', async () => {
    const { gateway, upstream } = await legacy({ auth: 'user' });
    const before = upstream.requests.length;
    const client = await clientOf(gateway);
    expect(await client.call('kept')).toMatchObject({ isError: true });
    expect(upstream.requests).toHaveLength(before);
  });

  test('of a mount are sent with each request, and no status shows them', async () => {
    const { gateway, upstream } = await legacy({ headers: { Authorization: 'Bearer mount-secret' } });
    const client = await clientOf(gateway);
    await client.call('kept');
    expect(upstream.requests.every(({ headers }) => headers.authorization === 'Bearer mount-secret')).toBe(
      true,
    );
    expect(JSON.stringify(await gateway.operate('test').state())).not.toContain('mount-secret');
  });
});
