import { createClient, createSentinel, RESP_TYPES } from 'redis';
import { redisStores, type ApplicationClient } from '@toolwright/redis';
import { openStores } from './support/open-stores.js';
import { describeWithRedis, RedisServer } from './support/redis-server.js';

const rule = { points: 2, perMs: 60_000 };
const typeMapping = { [RESP_TYPES.NUMBER]: String, [RESP_TYPES.BLOB_STRING]: Buffer } as const;

it('a sentinel is refused, with what to give in its place', () => {
  const client = createSentinel({ name: 'main', sentinelRootNodes: [{ host: '127.0.0.1', port: 1 }] });
  expect(() => redisStores({ client: client as unknown as ApplicationClient })).toThrow(
    'The option "client" is a sentinel of node-redis, which redisStores does not take. Give the address',
  );
});

it('a client of ioredis is refused, with what to give in its place', () => {
  // Such a client has the same methods. It says in words how it is: `ready`, `connecting`, `end`, and so on.
  const client = { status: 'ready', duplicate() {}, sendCommand() {}, subscribe() {}, on() {} };
  expect(() => redisStores({ client: client as unknown as ApplicationClient })).toThrow(
    'it has no "isReady". In place of a client of ioredis or iovalkey, give its address as "url"',
  );
});

describeWithRedis('a client of an application', (server) => {
  beforeEach(() => void server.cli('FLUSHALL'));

  it.each([
    ['made with a type mapping', () => createClient({ url: server.url, commandOptions: { typeMapping } })],
    ['with a type mapping of its own', () => createClient({ url: server.url }).withTypeMapping(typeMapping)],
    ['of the older protocol', () => createClient({ url: server.url, RESP: 2 })],
  ])('%s: all stores count and read as usual', async (_, make) => {
    const client = make();
    await client.connect();
    const stores = await openStores({ client: client as unknown as ApplicationClient });
    const leases = [];
    for (let call = 0; call < 4; call++) leases.push(await stores.leases.acquire([{ key: 'a', max: 2 }]));
    const decisions = [];
    for (let call = 0; call < 4; call++) decisions.push(await stores.rateLimiter.consume('ann', 1, rule));
    const claims = [await stores.claims.claim('a', 60_000), await stores.claims.claim('a', 60_000)];
    for (const id of ['a_1', 'a_2']) await stores.events.append('s', 'a', { id, text: id });
    await stores.cache.set('a', { of: 'cache' }, 60_000);
    await stores.sessions.set('a', { subscriptions: [] }, 60_000);
    await stores.records.put('room', 'a', 'text', { was: undefined, ttlMs: 60_000 });
    expect({
      leases: leases.map((lease) => lease !== undefined),
      decisions: decisions.map(({ allowed, remaining }) => [allowed, remaining]),
      claims: [...claims, await stores.claims.has!('a')],
      events: await stores.events.after('s', 'a', 'a_1'),
      cache: await stores.cache.get('a'),
      session: await stores.sessions.get('a'),
      record: [await stores.records.get('room', 'a'), await stores.records.list('room')],
    }).toEqual({
      leases: [true, true, false, false],
      decisions: [
        [true, 1],
        [true, 0],
        [false, 0],
        [false, 0],
      ],
      claims: [true, false, true],
      events: [{ id: 'a_2', text: 'a_2' }],
      cache: { of: 'cache' },
      session: { subscriptions: [] },
      record: ['text', [['a', 'text']]],
    });
    await stores.close();
    await client.close();
  });
});

describeWithRedis('a Redis that answers and refuses', () => {
  const open: { stop?(): Promise<void>; close?(): unknown }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await (each.stop ?? each.close)!.call(each);
  });
  const keep = <T extends (typeof open)[number]>(each: T): T => (open.push(each), each);

  it('a right that the user lacks is told as such, and the other stores go on', async () => {
    const server = keep(await RedisServer.start());
    server.cli('ACL', 'SETUSER', 'some', '>secret', 'on', '~*', '&*', '+@all', '-zadd');
    const stores = keep(await openStores({ url: server.url.replace('//', '//some:secret@') }));
    for (let call = 0; call < 3; call++)
      await expect(stores.leases.acquire([{ key: 'a', max: 2 }])).rejects.toThrow();
    const refusals = stores.log.lines.map(({ level, message, fields }) => [level, message, fields['reason']]);
    expect(refusals).toEqual([
      ['error', expect.stringContaining('lacks a right'), expect.stringContaining('script')],
    ]);
    expect(stores.health()).toMatchObject([{ up: true }]);
    expect(await stores.rateLimiter.consume('ann', 1, rule)).toMatchObject({ allowed: true });
  });

  it('a script that keeps it busy is told as such', async () => {
    const server = keep(await RedisServer.start('--busy-reply-threshold', '1'));
    const stores = keep(await openStores({ url: server.url, timeout: 10_000 }));
    const other = keep(createClient({ url: server.url }));
    await other.connect();
    const script = other.eval('while true do end').catch((error: Error) => error.message);
    const refused = await Promise.resolve(stores.rateLimiter.consume('ann', 1, rule)).catch(String);
    const read = stores.log.lines.map(({ message }) => message);
    server.cli('SCRIPT', 'KILL');
    await script;
    expect([refused, read]).toEqual([
      expect.stringContaining('BUSY'),
      ['Redis is busy with a script or a function'],
    ]);
    expect(stores.health()).toMatchObject([{ up: true }]);
    expect(await stores.rateLimiter.consume('ann', 1, rule)).toMatchObject({ allowed: true });
  });
});
