import { createMcpServer, type McpServer } from '@toolwright/core';
import { type AuditEvent, MemoryRecordStore, silentLogger, systemClock } from '@toolwright/core/ports';
import { apiKeys, type ApiKeys } from '../../identity/src/index.js';
import { GrantDesk } from '../../identity/test/support/grant-desk.js';
import { Hub, Inside, type Access } from '../src/index.js';
import { auditTo } from '../../core/test/support/recording-sink.js';

const secrets = ['a secret of the tests that has more than 32 characters'];

let server: McpServer;
let keys: ApiKeys;
let inside: Inside;
let records: MemoryRecordStore;
const audited: AuditEvent[] = [];

beforeEach(async () => {
  audited.length = 0;
  const audit = auditTo((event) => void audited.push(event));
  server = await createMcpServer({ name: 'small', version: '1', services: [], audit, logger: silentLogger });
  records = new MemoryRecordStore(systemClock);
  keys = apiKeys({ records, secrets, remember: '0s' });
  inside = new Inside(() => {});
  inside.add(server);
});
afterEach(() => server.close(0));

const on = { server: 'small' };
const who = async (key: string) => {
  const headers = { authorization: `Bearer ${key}` };
  return (await keys.authenticate(new Request('http://127.0.0.1/mcp', { headers }))).principal;
};

test('a server without keys and grants says so', async () => {
  expect(await inside.ask('keysAndGrants', on)).toEqual({ counts: { keys: 0, grants: 0 } });
  await expect(inside.ask('createKey', { ...on, subject: 'ci', scopes: [] })).rejects.toThrow(
    'no method keys.create for operators',
  );
});

test('a key is made, shown once, listed without its secret, and revoked; the audit log has all of it and no key', async () => {
  await keys.attach(server);
  const wish = { ...on, subject: 'ci', scopes: ['notes:read'], name: 'nightly', days: 7 };
  const { id, key } = await inside.ask('createKey', wish, 'console of mia');
  expect(await who(key)).toMatchObject({ subject: 'ci', scopes: ['notes:read'] });
  const listed = await inside.ask('keysAndGrants', on);
  expect(listed).toEqual({
    keys: [expect.objectContaining({ id, subject: 'ci', name: 'nightly', scopes: ['notes:read'] })],
    counts: { keys: 1, grants: 0 },
  });
  const { created, expires } = listed.keys![0]!;
  expect(expires! - created).toBe(7 * 86_400_000);
  expect(await inside.ask('revokeKey', { ...on, id }, 'console of mia')).toEqual({});
  expect(await who(key)).toBeUndefined();
  await expect(inside.ask('revokeKey', { ...on, id })).rejects.toThrow('no such key any more');
  const seen = JSON.stringify([listed, audited, records.list('api-keys')]);
  expect(seen).not.toContain(key.slice(-43));
  expect(
    audited.map(({ name, outcome, principal, loggable }) => [name, outcome, principal?.subject, loggable]),
  ).toEqual([
    ['create key', undefined, 'console of mia', { target: 'ci' }],
    ['create key', 'ok', 'console of mia', { target: 'ci' }],
    ['revoke key', undefined, 'console of mia', { target: id }],
    ['revoke key', 'ok', 'console of mia', { target: id }],
    ['revoke key', undefined, expect.any(String), { target: id }],
    ['revoke key', 'nothing to do', expect.any(String), { target: id }],
  ]);
});

test('a key of a tenant calls in that tenant', async () => {
  await keys.attach(server);
  const { key } = await inside.ask('createKey', { ...on, subject: 'ci', tenant: 'acme', scopes: [] });
  expect(await who(key)).toMatchObject({ subject: 'ci', tenant: 'acme' });
  expect((await inside.ask('keysAndGrants', on)).keys).toMatchObject([{ subject: 'ci', tenant: 'acme' }]);
});

test('a key without an end, and one that is wished wrongly', async () => {
  await keys.attach(server);
  await keys.attach(server);
  await inside.ask('createKey', { ...on, subject: 'ci', scopes: [] });
  expect((await keys.list())[0]).not.toHaveProperty('expires');
  await expect(inside.ask('createKey', { ...on, subject: '', scopes: ['a b'] })).rejects.toThrow(/subject/);
});

test.each<[Access[], boolean]>([
  [['read'], false],
  [['read', 'change'], false],
  [['read', 'call'], false],
  [['read', 'call', 'change'], true],
])('a console with %j may make keys: %s', async (access, may) => {
  await keys.attach(server);
  const hub = new Hub({
    access,
    overview: () => ({ servers: [], access, app: 'running', toolwright: '0' }),
    askInside: (method, params, by) => inside.ask(method, params, by),
  });
  const asked = hub.ask('createKey', { ...on, subject: 'ci', scopes: [] });
  if (may) expect(await asked).toMatchObject({ key: expect.stringMatching(/^tw_/) as string });
  else await expect(asked).rejects.toThrow('does not allow');
  expect(await keys.list()).toHaveLength(may ? 1 : 0);
});

test('a change that cannot be recorded is not made', async () => {
  await server.close(0);
  const down = () => {
    throw new Error('away');
  };
  const audit = { write: down, flush: async () => {}, close: async () => {} };
  server = await createMcpServer({ name: 'strict', version: '1', services: [], audit, logger: silentLogger });
  await keys.attach(server);
  inside.add(server);
  await expect(inside.ask('createKey', { server: 'strict', subject: 'ci', scopes: [] })).rejects.toThrow(
    'could not be recorded',
  );
  expect(await keys.list()).toEqual([]);
});

test('grants of users are listed without tokens, and revoked here and at their issuer', async () => {
  const desk = await GrantDesk.open({ stores: { records }, secrets });
  try {
    inside.add(desk.server);
    await desk.grantAs('ann');
    const { grants, counts } = await inside.ask('keysAndGrants', { server: 'desk' });
    expect([counts.grants, grants]).toEqual([1, [expect.objectContaining({ subject: 'ann' })]]);
    expect(JSON.stringify(grants)).not.toMatch(/eyJ[\w-]+\.eyJ/);
    const { id } = grants![0]!;
    // The server knows the secret of the client, so nobody has to type it.
    expect(await inside.ask('revokeGrant', { server: 'desk', id })).toEqual({ outcome: 'revoked' });
    expect(desk.calendar.requests.at(-1)).toMatchObject({ path: '/token/revocation' });
    expect((await inside.ask('keysAndGrants', { server: 'desk' })).grants).toEqual([]);
    await expect(inside.ask('revokeGrant', { server: 'desk', id })).rejects.toThrow('no such grant any more');
  } finally {
    await desk.close();
  }
});
