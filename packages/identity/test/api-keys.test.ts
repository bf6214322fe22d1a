import { createServer, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createMcpServer } from '@toolwright/core';
import { MemoryRecordStore, silentLogger } from '@toolwright/core/ports';
import { mcpHttp } from '@toolwright/http';
import { ManualClock } from '@toolwright/testing';
import { apiKeys, type ApiKeysOptions } from '../src/index.js';

const secrets = ['a secret of the server that is long enough'];

function open(options: Partial<ApiKeysOptions> = {}) {
  const clock = new ManualClock();
  const records = new MemoryRecordStore(clock);
  return { clock, records, keys: apiKeys({ records, secrets, clock, ...options }) };
}

const bearer = (key: string) =>
  new Request('http://127.0.0.1/mcp', { headers: { authorization: `Bearer ${key}` } });
const own = (key: string) => new Request('http://127.0.0.1/mcp', { headers: { 'x-api-key': key } });

describe('an API key', () => {
  test('lets its subject in, in either header, with its scopes', async () => {
    const { keys } = open();
    const { id, key } = await keys.create({ subject: 'ci', scopes: ['read', 'write'], name: 'The build' });
    expect(key).toMatch(/^tw_[0-9a-f]{16}_[\w-]{43}$/);
    const principal = { subject: 'ci', clientId: `api-key:${id}`, scopes: ['read', 'write'] };
    expect(await keys.authenticate(bearer(key))).toEqual({ principal });
    expect(await keys.authenticate(own(key))).toEqual({ principal });
  });

  test('belongs to the tenant that it was made for, also after it was replaced', async () => {
    const { keys } = open();
    const made = await keys.create({ subject: 'ci', tenant: 'acme' });
    const next = await keys.rotate(made.id);
    for (const { key } of [made, next!])
      expect(await keys.authenticate(bearer(key))).toMatchObject({ principal: { tenant: 'acme' } });
    expect(await keys.list()).toMatchObject([{ tenant: 'acme' }, { tenant: 'acme' }]);
  });

  test('leaves nothing in the store when it has ended, not even its last use', async () => {
    const { keys, records, clock } = open();
    const { key } = await keys.create({ subject: 'ci', lifetime: '1h' });
    await keys.authenticate(bearer(key));
    expect(records.list('api-key-uses')).toHaveLength(1);
    clock.advance(3_600_000);
    expect([records.list('api-keys'), records.list('api-key-uses')]).toEqual([[], []]);
  });

  test.each([false, Infinity] as const)('never ends with a lifetime of %s', async (lifetime) => {
    const { keys, clock } = open();
    const { key } = await keys.create({ subject: 'ci', lifetime });
    clock.advance(100 * 365 * 86_400_000);
    expect(await keys.authenticate(bearer(key))).toMatchObject({ principal: { subject: 'ci' } });
  });

  test('is kept nowhere: the store has neither the key nor what it may do', async () => {
    const { keys, records } = open();
    const { key } = await keys.create({ subject: 'ci-bot', scopes: ['write'] });
    await keys.authenticate(bearer(key));
    const kept = JSON.stringify([records.list('api-keys'), records.list('api-key-uses')]);
    for (const secret of [key, key.slice(-43), 'ci-bot', 'write']) expect(kept).not.toContain(secret);
  });

  test('cannot be made, changed or moved by who can write to the store', async () => {
    const { keys, records } = open();
    const [one, two] = [
      await keys.create({ subject: 'ci', scopes: [] }),
      await keys.create({ subject: 'admin', scopes: ['write'] }),
    ];
    const [was, better] = [records.get('api-keys', one.id), records.get('api-keys', two.id)];
    records.put('api-keys', one.id, better!, { was });
    expect(await keys.authenticate(bearer(one.key))).toMatchObject({ challenge: { status: 401 } });
    const foreign = apiKeys({ records, secrets: ['a secret that another server has, not this one'] });
    const { key } = await foreign.create({ subject: 'admin', scopes: ['write'] });
    expect(await keys.authenticate(bearer(key))).toMatchObject({ challenge: { status: 401 } });
  });

  test.each([
    ['one changed character', (key: string) => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')],
    ['another id', (key: string) => key.replace(/_[0-9a-f]{16}_/, `_${'0'.repeat(16)}_`)],
    ['no secret', (key: string) => key.slice(0, 20)],
    ['more after it', (key: string) => `${key}x`],
    ['capitals', (key: string) => key.toUpperCase().replace('TW', 'tw')],
  ])('is refused with %s', async (_, change) => {
    const { keys } = open();
    const { key } = await keys.create({ subject: 'ci' });
    expect(await keys.authenticate(bearer(change(key)))).toMatchObject({ challenge: { status: 401 } });
    expect(await keys.authenticate(own(change(key)))).toMatchObject({ challenge: { status: 401 } });
  });

  test('ends: after its time, when it is revoked, and a while after it was replaced', async () => {
    const { keys, clock } = open({ remember: '5s' });
    const isAccepted = async (key: string) => (await keys.authenticate(bearer(key))).principal !== undefined;
    const short = await keys.create({ subject: 'ci', lifetime: '1m' });
    const long = await keys.create({ subject: 'ci', lifetime: false });
    expect([short.expires, long.expires]).toEqual([clock.now() + 60_000, undefined]);
    expect(await isAccepted(short.key)).toBe(true);
    clock.advance(60_000);
    expect([await isAccepted(short.key), await isAccepted(long.key)]).toEqual([false, true]);

    const next = (await keys.rotate(long.id, { grace: '1h' }))!;
    expect([await isAccepted(long.key), await isAccepted(next.key)]).toEqual([true, true]);
    clock.advance(3_600_000);
    expect([await isAccepted(long.key), await isAccepted(next.key)]).toEqual([false, true]);

    expect(await keys.revoke(next.id)).toBe(true);
    expect(await isAccepted(next.key)).toBe(false);
    expect([await keys.revoke(next.id), await keys.rotate(next.id)]).toEqual([false, undefined]);
  });

  test('that another process has revoked works for as long as it is remembered, at most', async () => {
    const { keys, clock, records } = open();
    const there = apiKeys({ records, secrets, clock });
    const { id, key } = await keys.create({ subject: 'ci' });
    await keys.authenticate(bearer(key));
    await there.revoke(id);
    clock.advance(5_000);
    expect(await keys.authenticate(bearer(key))).toMatchObject({ challenge: { status: 401 } });
  });

  test('outlives a new secret in front of the list, and not the end of the old one', async () => {
    const { keys, records, clock } = open();
    const { key } = await keys.create({ subject: 'ci' });
    const fresh = 'a newer secret of the server, long enough';
    const rolled = apiKeys({ records, clock, secrets: [fresh, ...secrets] });
    expect((await rolled.authenticate(bearer(key))).principal?.subject).toBe('ci');
    const without = apiKeys({ records, clock, secrets: [fresh] });
    expect(await without.authenticate(bearer(key))).toMatchObject({ challenge: { status: 401 } });
  });

  test('is listed with its last use, to the minute', async () => {
    const { keys, clock } = open();
    const { id, key } = await keys.create({ subject: 'ci', name: 'The build', lifetime: '90d' });
    expect(await keys.list()).toEqual([
      {
        id,
        subject: 'ci',
        name: 'The build',
        scopes: [],
        created: clock.now(),
        expires: clock.now() + 90 * 86_400_000,
      },
    ]);
    clock.advance(150_000);
    await keys.authenticate(bearer(key));
    await new Promise((resolve) => setImmediate(resolve));
    expect((await keys.list())[0]).toMatchObject({ lastUsed: clock.now() - 30_000 });
  });
});

describe('a request', () => {
  test('without a key is passed on, or refused', async () => {
    const { keys } = open();
    expect(await keys.authenticate(bearer('eyJ.token.x'))).toMatchObject({
      challenge: { reason: 'missing' },
    });
    const principal = { subject: 'ann', scopes: [] };
    const both = open({ or: () => ({ principal }) }).keys;
    expect(await both.authenticate(bearer('eyJ.token.x'))).toEqual({ principal });
    // A wrong key is not passed on.
    expect(await both.authenticate(bearer(`tw_${'0'.repeat(16)}_x`))).toMatchObject({
      challenge: { status: 401 },
    });
  });

  test('with two keys is refused', async () => {
    const { keys } = open();
    const { key } = await keys.create({ subject: 'ci' });
    const twice = { headers: { authorization: `Bearer ${key}`, 'x-api-key': key } };
    expect(await keys.authenticate(new Request('http://127.0.0.1/mcp', twice))).toMatchObject({
      challenge: { status: 400 },
    });
  });
});

test('an endpoint takes keys: scopes decide, and a wrong key gets 401', async () => {
  const { keys } = open();
  const server = await createMcpServer({
    name: 'guarded',
    version: '1.0.0',
    services: [],
    logger: silentLogger,
  });
  server.tools.add({
    name: 'whoami',
    description: 'Who calls.',
    handler: (_args, { principal }) => `${principal?.subject}`,
  });
  const http = createServer(mcpHttp(server, { authenticate: keys.authenticate as never }));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const { key } = await keys.create({ subject: 'ci' });
  const meta = 'io.modelcontextprotocol/';
  const call = (authorization: string) =>
    new Promise<[number, string]>((resolve) => {
      const headers = {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'whoami',
      };
      const req = request(
        { host: '127.0.0.1', port, method: 'POST', path: '/', headers },
        (res: IncomingMessage) => {
          let text = '';
          res.on('data', (chunk) => (text += String(chunk)));
          res.on('end', () => resolve([res.statusCode!, text]));
        },
      );
      const _meta = {
        [`${meta}protocolVersion`]: '2026-07-28',
        [`${meta}clientInfo`]: { name: 't', version: '1' },
        [`${meta}clientCapabilities`]: {},
      };
      req.end(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'whoami', arguments: {}, _meta },
        }),
      );
    });
  expect(await call(`Bearer ${key}`)).toEqual([200, expect.stringContaining('"text":"ci"')]);
  expect((await call(`Bearer ${key}x`))[0]).toBe(401);
  expect((await call('Basic x'))[0]).toBe(401);
  http.close();
  http.closeAllConnections();
  await server.close();
});
