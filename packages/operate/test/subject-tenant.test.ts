import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAuditSink, queryAudit, verifyAudit, type AuditRecord } from '@toolwright/audit';
import type { McpServer } from '@toolwright/core';
import {
  MemoryRecordStore,
  MemorySessionRecords,
  type ServerStores,
  silentLogger,
  systemClock,
} from '@toolwright/core/ports';
import { apiKeys } from '@toolwright/identity';
import { postgresStores } from '@toolwright/postgres';
import { redisStores } from '@toolwright/redis';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { describeWithRedis } from '../../redis/test/support/redis-server.js';
import {
  ann,
  App,
  dataIn,
  exportOf,
  ISSUER,
  keep,
  packages,
  secrets,
  start,
  subscribe,
} from './support/kept-data.js';

/** What becomes of each store when a tenant leaves. A new port does not compile without its line here. */
const FATES: Record<
  keyof Omit<ServerStores, 'open' | 'close' | 'health' | 'secrets' | 'anyProcess'>,
  RegExp
> = {
  sessions: /^\| sessions: .*finds and ends them/m,
  events: /^\| messages of streams .*goes with the session/m,
  tasks: /^\| tasks: .*finds and erases them/m,
  records: /^\| API keys.*finds and erases them/m,
  rateLimiter: /^\| points of rate limits .*\| no /m,
  leases: /^\| slots .*\| no /m,
  claims: /^\| what was used once \(claims\) .*\| no /m,
  endedSessions: /^\| what was used once \(claims\) .*\| no /m,
  cache: /^\| results of `@Cache` .*\| no /m,
  bus: /The bus of the processes keeps nothing/,
};

test.each(Object.entries(FATES))('personal-data.md says what becomes of %s', (_port, fate) => {
  expect(readFileSync(join(packages, '../docs/personal-data.md'), 'utf8')).toMatch(fate);
});

describe('what a server keeps for a tenant', () => {
  test('in memory is exported and erased for a tenant, whoever its callers are', async () => {
    const stores = {
      records: new MemoryRecordStore(systemClock),
      sessions: new MemorySessionRecords(systemClock),
    };
    await keep(stores);
    const data = await dataIn(stores);
    const of = { tenant: 'acme' };
    const { records, notLookedAt } = await exportOf(data, of);
    expect(records).toMatchObject({
      'API keys': [{ subject: 'bob', tenant: 'acme' }],
      approvals: [{ caller: { subject: 'bob', tenant: 'acme' } }],
      grants: [],
    });
    expect(notLookedAt).toEqual(
      expect.arrayContaining([
        expect.stringContaining('sign-ins at the proxy'),
        expect.stringContaining('points of limits'),
        expect.stringContaining('tokens that were exchanged'),
      ]),
    );
    expect((await data.erase(of)).failures).toEqual([]);
    expect((await data.count(of)).every((each) => each.records === 0)).toBe(true);
    expect(await data.count({ issuer: ISSUER, subject: 'bob' })).toEqual(
      expect.arrayContaining([
        { kind: 'API keys', records: 0, unreadable: 0 },
        { kind: 'approvals', records: 1, unreadable: 0 },
        { kind: 'grants', records: 1, unreadable: 0 },
      ]),
    );
    // Neither the name of a subject nor of an issuer is that of a tenant.
    expect((await data.count({ tenant: 'ann' })).some((each) => each.records > 0)).toBe(false);
  });
});

describeWithRedis('toolwright-operate subject --tenant, over Redis', (redis) => {
  let app: App;
  let server: McpServer;
  let stores: ReturnType<typeof redisStores>;
  const env = () => ({ REDIS_URL: redis.url });
  beforeAll(async () => {
    app = new App('core', 'identity', 'redis');
    stores = redisStores({ url: redis.url });
    server = await start(stores);
    for (const name of ['zoe', 'yan'])
      server.resources.add({ name, uri: `notes://of/${name}`, handler: () => name });
  });
  afterAll(async () => {
    await server.close(0);
    app.remove();
  });

  test('exports and erases what a tenant has, and records it in the audit log', async () => {
    const log = app.path('audit.jsonl');
    const audit = await openAuditSink({ file: log });
    await audit.close();
    await subscribe(server, { ...ann, subject: 'zoe', tenant: 'zeta' });
    const ended = await subscribe(server, { ...ann, subject: 'yan', tenant: 'zeta' });
    await subscribe(server, { ...ann, subject: 'zoe' });
    await apiKeys({ records: stores.records!, secrets }).create({ subject: 'bot', tenant: 'zeta' });
    const of = ['--tenant', 'zeta'];
    const exported = await app.run(['export', ...of], env());
    expect(JSON.parse(exported.stdout)).toMatchObject({
      tenant: 'zeta',
      records: { sessions: [{}, {}], 'API keys': [{ subject: 'bot' }], approvals: [] },
      notLookedAt: expect.arrayContaining([expect.stringContaining('points of limits')]),
    });
    expect(exported.stderr).toContain('Not looked at: sign-ins at an authorization proxy');
    const unrecorded = await app.run(['erase', ...of, '--yes', '--audit', 'none.jsonl'], env());
    expect(unrecorded).toMatchObject({ status: 2, stdout: '' });
    const figures =
      'sessions: 2\nAPI keys: 1\napprovals: 0\napproval delegations: 0\ngrants: 0\ngrant requests: 0\n';
    expect(await app.run(['erase', ...of], env())).toMatchObject({ status: 2, stdout: figures });
    expect(await app.run(['erase', ...of, '--yes', '--audit', 'audit.jsonl'], env())).toMatchObject({
      status: 0,
      stdout: figures,
    });
    expect(await app.run(['erase', ...of], env())).toMatchObject({ status: 0 });
    const other = await start(redisStores({ url: redis.url }));
    expect(await ended(other)).toBe(404);
    await other.close(0);
    const records: AuditRecord[] = [];
    for await (const record of queryAudit({ file: log, filter: { name: 'tenant.erase' } }))
      records.push(record);
    const erased = {
      sessions: 2,
      'API keys': 1,
      approvals: 0,
      'approval delegations': 0,
      grants: 0,
      'grant requests': 0,
    };
    expect(records).toMatchObject([
      { event: 'intent', operation: 'operator', loggable: { tenant: 'zeta' } },
      { event: 'outcome', outcome: 'ok', loggable: { tenant: 'zeta', erased } },
    ]);
    // A person is recorded by a digest, and never by name.
    const person = ['erase', ISSUER, 'zoe', '--yes', '--audit', 'audit.jsonl'];
    expect(await app.run(person, env())).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('sessions: 1'),
    });
    expect(readFileSync(log, 'utf8')).not.toContain('zoe');
    expect((await verifyAudit({ file: log })).problems).toEqual([]);
  });
});

describePostgres('toolwright-operate subject --tenant, over PostgreSQL', (postgres) => {
  test('exports and erases keys and approvals of the tenant alone', async () => {
    const app = new App('core', 'identity', 'postgres');
    const env = { DATABASE_URL: postgres.server.url };
    const schema = postgres.newSchema();
    const place = ['--schema', schema];
    const stores = postgresStores({ url: postgres.server.url, schema });
    await stores.open({ clock: systemClock, logger: silentLogger });
    try {
      await keep(stores);
      const tenant = ['--tenant', 'acme', ...place];
      expect(JSON.parse((await app.run(['export', ...tenant], env)).stdout).records).toMatchObject({
        'API keys': [{ subject: 'bob', tenant: 'acme' }],
        approvals: [{ caller: { tenant: 'acme' } }],
        grants: [],
      });
      const erased = await app.run(['erase', ...tenant, '--yes'], env);
      expect([erased.status, erased.stdout]).toEqual([
        0,
        'sessions: 0\nAPI keys: 1\napprovals: 1\napproval delegations: 0\ngrants: 0\ngrant requests: 0\n',
      ]);
      expect(erased.stderr).toContain('No audit log has a record of this');
      expect((await app.run(['erase', ISSUER, 'bob', ...place], env)).stdout).toBe(
        'sessions: 0\nAPI keys: 0\napprovals: 1\napproval delegations: 1\ngrants: 1\ngrant requests: 0\n',
      );
    } finally {
      await stores.close();
      app.remove();
    }
  });
});
