import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServer } from '@toolwright/core';
import { MemoryRecordStore, MemorySessionRecords, silentLogger, systemClock } from '@toolwright/core/ports';
import { apiKeys } from '@toolwright/identity';
import { redisStores } from '@toolwright/redis';
import { postgresStores } from '@toolwright/postgres';
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
  PROXY,
  secrets,
  start,
  subscribe,
} from './support/kept-data.js';

const found = { 'API keys': 1, approvals: 2, 'approval delegations': 1, grants: 1 };

describe('what a server keeps about a person', () => {
  test('in memory is exported and erased, and nothing of others', async () => {
    const stores = {
      records: new MemoryRecordStore(systemClock),
      sessions: new MemorySessionRecords(systemClock),
    };
    await keep(stores);
    const data = await dataIn(stores);
    const of = { issuer: ISSUER, subject: 'ann' };
    const { records, unreadable } = await exportOf(data, of);
    expect(unreadable).toEqual({});
    expect(records['API keys']).toMatchObject([{ subject: 'ann', name: 'laptop', scopes: ['read'] }]);
    expect(records['approvals']).toHaveLength(2);
    expect(JSON.stringify(records)).not.toMatch(/secret-token|hash/);
    expect(await exportOf(data, { issuer: PROXY, subject: 'ann' })).toMatchObject({
      records: { 'sign-ins at the proxy': [{ what: 'Account' }, { what: 'RefreshToken', clientId: 'c' }] },
    });
    const { figures, failures } = await data.erase(of);
    expect(failures).toEqual([]);
    expect(Object.fromEntries(figures.map((each) => [each.kind, each.records]))).toMatchObject(found);
    expect((await data.count(of)).every((each) => each.records === 0)).toBe(true);
    expect((await data.count({ issuer: ISSUER, subject: 'bob' })).map((each) => each.records)).toContain(1);
    expect(await data.count({ issuer: undefined, subject: 'ann' })).toContainEqual({
      kind: 'API keys',
      records: 1,
      unreadable: 0,
    });
  });

  test('that nobody can open is counted, and is left alone', async () => {
    const records = new MemoryRecordStore(systemClock);
    const foreign = apiKeys({ records, secrets: ['another-secret-that-is-also-long-enough'] });
    await foreign.create({ subject: 'ann', issuer: ISSUER });
    const data = await dataIn({ records });
    const of = { issuer: ISSUER, subject: 'ann' };
    expect((await exportOf(data, of)).unreadable).toEqual({ 'API keys': 1 });
    await data.erase(of);
    expect(await foreign.list()).toHaveLength(1);
  });
});

describeWithRedis('toolwright-operate subject, over Redis', (redis) => {
  let app: App;
  let server: McpServer;
  let stores: ReturnType<typeof redisStores>;
  const env = () => ({ REDIS_URL: redis.url });
  beforeAll(async () => {
    app = new App('core', 'identity', 'redis');
    stores = redisStores({ url: redis.url });
    server = await start(stores);
    for (const name of ['ann', 'bob', 'zoe', 'yan'])
      server.resources.add({ name, uri: `notes://of/${name}`, handler: () => name });
  });
  afterAll(async () => {
    await server.close(0);
    app.remove();
  });

  test('exports, counts and erases sessions, keys and approvals', async () => {
    await keep(stores);
    const [, phone, bobs] = [
      await subscribe(server, ann),
      await subscribe(server, { ...ann, clientId: 'phone', tenant: 'acme' }),
      await subscribe(server, { ...ann, subject: 'bob' }),
    ];
    const { status, stdout, stderr } = await app.run(['export', ISSUER, 'ann'], env());
    expect([status, stderr]).toEqual([0, '']);
    const exported = JSON.parse(stdout);
    expect(exported).toMatchObject({
      subject: { issuer: ISSUER, subject: 'ann' },
      records: {
        sessions: [{ subscriptions: ['notes://of/ann'] }, { subscriptions: ['notes://of/ann'] }],
        'API keys': [{ name: 'laptop' }],
        approvals: [{}, {}],
        grants: [{ resource: 'https://files.example.com' }],
      },
      unreadable: {},
    });
    const figures =
      'sessions: 2\nAPI keys: 1\napprovals: 2\napproval delegations: 1\ngrants: 1\ngrant requests: 0\n';
    expect(await app.run(['erase', ISSUER, 'ann'], env())).toEqual({
      status: 2,
      stdout: figures,
      stderr: 'Nothing was erased. Run it again with --yes.\n',
    });
    expect(await app.run(['erase', ISSUER, 'ann', '--yes'], env())).toEqual({
      status: 0,
      stdout: figures,
      stderr: '',
    });
    expect(await app.run(['erase', ISSUER, 'ann'], env())).toEqual({
      status: 0,
      stdout: figures.replace(/\d/g, '0'),
      stderr: '',
    });
    const rest = JSON.parse((await app.run(['export', ISSUER, 'bob'], env())).stdout);
    expect(rest.records).toMatchObject({ sessions: [{}], 'API keys': [{}], approvals: [{}], grants: [{}] });
    // The sign-ins of the proxy belong to its own issuer.
    const proxied = await app.run(['erase', PROXY, 'ann', '--proxy', PROXY, '--yes'], env());
    expect(proxied.stdout).toContain('sign-ins at the proxy: 2\n');
    expect(redis.cli('KEYS', '*sessions-of*').split('\n')).toHaveLength(3);
    const other = await start(redisStores({ url: redis.url }));
    expect([await phone!(other), await bobs!(other)]).toEqual([404, 200]);
    await other.close(0);
  });

  test.each([
    ['neither', []],
    ['a person and a tenant', [ISSUER, 'ann', '--tenant', 'acme']],
    ['an issuer alone', [ISSUER]],
    ['an empty tenant', ['--tenant', '']],
  ])('%s is not understood', async (_what, words) => {
    expect((await app.run(['erase', '--yes', ...words], env())).status).toBe(2);
  });

  test('finds what a server with another prefix has kept, and nothing of its neighbour', async () => {
    const others = redisStores({ url: redis.url, prefix: 'desk:' });
    await others.open?.({ clock: systemClock, logger: silentLogger });
    const keys = apiKeys({ records: others.records!, secrets });
    await keys.create({ subject: 'cleo', issuer: ISSUER });
    expect((await app.run(['erase', ISSUER, 'cleo', '--yes'], env())).stdout).toContain('API keys: 0\n');
    const place = ['--redis-prefix', 'desk:'];
    const { stdout } = await app.run(['export', ISSUER, 'cleo', ...place], env());
    expect(JSON.parse(stdout).records).toMatchObject({ 'API keys': [{}] });
    const erased = await app.run(['erase', ISSUER, 'cleo', ...place, '--yes'], env());
    expect([erased.status, erased.stdout]).toEqual([0, expect.stringContaining('API keys: 1\n')]);
    expect(await keys.list()).toEqual([]);
    await others.close?.();
  });

  test('writes to a new file that only its owner can read', async () => {
    const out = app.path('ann.json');
    const words = ['export', '-', 'ann', '--out', 'ann.json'];
    expect(await app.run(words, env())).toMatchObject({ status: 0, stdout: 'ann.json has 1 records.\n' });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ subject: { issuer: null } });
    const again = await app.run(words, env());
    expect(again.status).toBe(2);
    expect(again.stderr).toContain('is there already');
  });

  test.each([
    ['no address', [], { REDIS_URL: '' }, 2, 'Set DATABASE_URL or REDIS_URL'],
    ['no secrets', [], { SECRETS: '' }, 2, 'Set SECRETS to the secrets of the server'],
    ['other secrets', [], { SECRETS: 'x'.repeat(40) }, 1, 'could not be opened with these secrets'],
    ['a package that is missing', ['--database', 'postgres://127.0.0.1:1/x'], {}, 1, '@toolwright/postgres'],
  ])('%s is said, and no record is touched', async (_what, words, given, status, said) => {
    const answer = await app.run(['erase', ISSUER, 'bob', ...words], { ...env(), ...given });
    expect(answer.status).toBe(status);
    expect(answer.stderr).toContain(said);
    const kept = await apiKeys({ records: stores.records!, secrets }).list();
    expect(kept.filter(({ subject }) => subject === 'bob')).toHaveLength(1);
  });

  test.each([
    [
      'refuses to work here',
      `exports.subjectSource = { open: () => { throw new Error('It needs Node.js 99.'); } };`,
    ],
    ['cannot be loaded here', `throw new Error('It needs Node.js 99.');`],
  ])('a package that %s does not keep the others from it, and is named', async (_what, code) => {
    const other = new App('core', 'identity', 'redis');
    other.write('node_modules/@toolwright/tasks/index.js', code);
    await apiKeys({ records: stores.records!, secrets }).create({ subject: 'dan', issuer: ISSUER });
    const said = 'Not looked at: what @toolwright/tasks keeps: It needs Node.js 99.\n';
    try {
      const exported = await other.run(['export', ISSUER, 'dan'], env());
      expect(exported).toMatchObject({ status: 1, stderr: said });
      expect(JSON.parse(exported.stdout)).toMatchObject({
        records: { 'API keys': [{}] },
        notLookedAt: expect.arrayContaining([expect.stringContaining('@toolwright/tasks')]),
      });
      const erased = await other.run(['erase', ISSUER, 'dan', '--yes'], env());
      expect(erased).toMatchObject({ status: 1, stderr: said });
      expect(erased.stdout).toContain('API keys: 1\n');
      expect((await app.run(['erase', ISSUER, 'dan'], env())).stdout).toContain('API keys: 0\n');
    } finally {
      other.remove();
    }
  });

  test('a Redis that is away is a failure, not an empty answer', async () => {
    const answer = await app.run(['export', ISSUER, 'ann'], { REDIS_URL: 'redis://127.0.0.1:1' });
    expect([answer.status, answer.stdout]).toEqual([1, '']);
  });
});

describePostgres('toolwright-operate subject, over PostgreSQL', (postgres) => {
  test('exports and erases keys and approvals, and says where it found no tables', async () => {
    const app = new App('core', 'identity', 'postgres');
    const env = { DATABASE_URL: postgres.server.url };
    const schema = postgres.newSchema();
    const stores = postgresStores({ url: postgres.server.url, schema });
    await stores.open({ clock: systemClock, logger: silentLogger });
    try {
      await keep(stores);
      const place = ['--schema', schema];
      const { status, stdout } = await app.run(['export', ISSUER, 'ann', ...place], env);
      expect(status).toBe(0);
      expect(JSON.parse(stdout).records).toMatchObject({ 'API keys': [{}], approvals: [{}, {}] });
      expect(await app.run(['erase', ISSUER, 'ann', ...place, '--yes'], env)).toEqual({
        status: 0,
        stdout:
          'sessions: 0\nAPI keys: 1\napprovals: 2\napproval delegations: 1\ngrants: 1\ngrant requests: 0\n',
        stderr: '',
      });
      expect((await app.run(['erase', ISSUER, 'bob', ...place], env)).stdout).toBe(
        'sessions: 0\nAPI keys: 1\napprovals: 1\napproval delegations: 0\ngrants: 1\ngrant requests: 0\n',
      );
      const wrong = await app.run(['erase', ISSUER, 'bob', '--schema', 'elsewhere'], env);
      expect(wrong.stderr).toContain('no tables of @toolwright/postgres');
    } finally {
      await stores.close();
      app.remove();
    }
  });
});

describe('toolwright-operate subject, over PGlite', () => {
  const of = ['export', ISSUER, 'ann', '--pglite', 'data'] as const;
  const erase = ['erase', ISSUER, 'ann', '--pglite', 'data'] as const;
  let app: App;
  beforeEach(() => {
    app = new App('core', 'identity', 'postgres');
    app.link('node_modules/@electric-sql/pglite', 'packages/postgres/node_modules/@electric-sql/pglite');
  });
  afterEach(() => app.remove());

  test('exports and erases in the folder of an app that does not run', async () => {
    const { PGlite } = jest.requireActual<typeof import('../../postgres/node_modules/@electric-sql/pglite')>(
      join(packages, 'postgres/node_modules/@electric-sql/pglite'),
    );
    const pglite = new PGlite(app.path('data'));
    const stores = postgresStores({ pglite, schema: 'desk' });
    await stores.open({ clock: systemClock, logger: silentLogger });
    await keep(stores);
    const busy = await app.run(of, {});
    expect([busy.status, busy.stderr]).toEqual([1, expect.stringContaining('Stop the app first')]);
    await stores.close();
    await pglite.close();

    const place = ['--schema', 'desk'];
    const exported = await app.run([...of, ...place], {});
    expect([exported.status, exported.stderr]).toEqual([0, '']);
    expect(JSON.parse(exported.stdout).records).toMatchObject({ 'API keys': [{}], approvals: [{}, {}] });
    expect(await app.run([...erase, ...place, '--yes'], {})).toEqual({
      status: 0,
      stdout: 'API keys: 1\napprovals: 2\napproval delegations: 1\ngrants: 1\ngrant requests: 0\n',
      stderr: '',
    });
    expect((await app.run([...erase, ...place], {})).stdout).not.toMatch(/[1-9]/);
    // Another schema has no tables: that is said, and the database can be opened again.
    for (const _again of [1, 2])
      expect((await app.run(of, {})).stderr).toContain('no tables of @toolwright/postgres');
  });

  test('a folder without a database is an error, and none is made', async () => {
    const { status, stderr } = await app.run(of, {});
    expect([status, stderr]).toEqual([1, expect.stringContaining('There is no PGlite database in data')]);
    expect(existsSync(app.path('data'))).toBe(false);
  });
});
