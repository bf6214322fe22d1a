import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { silentLogger, systemClock } from '@toolwright/core/ports';
import { postgresStores } from '@toolwright/postgres';
import { redisStores } from '@toolwright/redis';
import { ProjectFolder } from '../../cli/test/support/project-folder.js';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { describeWithRedis, type RedisServer } from '../../redis/test/support/redis-server.js';
import { apiKeys } from '../src/index.js';

const secret = 'a-secret-of-the-server-that-is-long-enough';
const packages = join(__dirname, '../..');
const programs = {
  toolwright: join(packages, 'cli/bin/toolwright.js'),
  'toolwright-operate': join(packages, 'operate/bin/toolwright-operate.js'),
};

/** A folder of an app that has these packages, and the keys of that app as its server sees them. */
class AppWithKeys extends ProjectFolder {
  readonly stores;
  readonly keys;

  constructor(readonly redis: RedisServer) {
    super();
    this.write('package.json', '{ "name": "app", "private": true }');
    for (const name of ['core', 'identity', 'redis'])
      this.link(`node_modules/@toolwright/${name}`, `packages/${name}`);
    this.stores = redisStores({ url: redis.url, timeout: '1m' });
    this.keys = apiKeys({ records: this.stores.records!, secrets: [secret], remember: '0s' });
  }

  open() {
    return this.stores.open?.({ clock: systemClock, logger: silentLogger });
  }

  run(program: keyof typeof programs, words: string, env: Record<string, string> = {}) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [programs[program], 'keys', ...words.split(' ')],
      {
        cwd: this.folder,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], REDIS_URL: this.redis.url, SECRETS: secret, ...env },
      },
    );
    return { status, stdout, stderr };
  }

  /** Who calls with a key, and with which scopes. */
  async callerOf(key: string) {
    const headers = { authorization: `Bearer ${key}` };
    const { principal } = await this.keys.authenticate(new Request('http://127.0.0.1/mcp', { headers }));
    return principal && { subject: principal.subject, scopes: principal.scopes };
  }

  async leave(): Promise<void> {
    await this.stores.close?.();
    this.remove();
  }
}

const made = /^(tw_([0-9a-f]{16})_[\w-]{43})\nKeep it: it is not shown again\. Its id is \2\.\n$/;

describeWithRedis('The commands for API keys', (redis) => {
  let app: AppWithKeys;
  beforeAll(async () => {
    app = new AppWithKeys(redis);
    await app.open();
  });
  afterEach(() => redis.cli('FLUSHALL'));
  afterAll(async () => {
    await app.leave();
  });

  test('keys create, list, rotate, revoke, by either program', async () => {
    expect(app.run('toolwright-operate', 'list')).toEqual({
      status: 0,
      stdout: 'There are no keys.\n',
      stderr: '',
    });

    const created = app.run(
      'toolwright',
      'create --subject ci --scopes read,write --name build --lifetime 30d',
    );
    expect(created).toMatchObject({ status: 0, stderr: '' });
    const [, key, id] = made.exec(created.stdout)!;
    expect(await app.callerOf(key!)).toEqual({ subject: 'ci', scopes: ['read', 'write'] });

    const listed = app.run('toolwright-operate', 'list');
    expect(listed.stdout).toMatch(
      new RegExp(`^${id}  ci  read write  ends \\d{4}-[^ ]+ [^ ]+  used [^\\n]+  build\\n$`),
    );
    expect(listed.stdout).not.toContain(key!.slice(-43));

    const rotated = app.run('toolwright', `rotate ${id} --grace 1h --json`);
    const next = JSON.parse(rotated.stdout) as { key: string; id: string; subject: string };
    expect(next).toMatchObject({ subject: 'ci', scopes: ['read', 'write'], name: 'build' });
    expect(await app.callerOf(next.key)).toEqual(await app.callerOf(key!));
    expect(next.key).not.toBe(key);
    const all = JSON.parse(app.run('toolwright-operate', 'list --json').stdout) as {
      id: string;
      expires: number;
    }[];
    expect(all.map((each) => each.id).sort()).toEqual([id, next.id].sort());
    const old = all.find((each) => each.id === id)!;
    expect(old.expires).toBeLessThan(all.find((each) => each.id === next.id)!.expires);

    expect(app.run('toolwright', `rotate ${id} --grace 0s`).status).toBe(0);
    expect(await app.callerOf(key!)).toBeUndefined();

    const revoked = app.run('toolwright-operate', `revoke ${next.id}`);
    expect(revoked).toEqual({ status: 0, stdout: `The key ${next.id} is revoked.\n`, stderr: '' });
    expect(await app.callerOf(next.key)).toBeUndefined();
    expect(app.run('toolwright', `revoke ${next.id}`)).toEqual({
      status: 1,
      stdout: '',
      stderr: `There is no key ${next.id}.\n`,
    });
  });

  test('a key that never ends, of a person, with another prefix and another variable', async () => {
    const { stdout, status } = app.run(
      'toolwright',
      `create --subject ann --issuer https://login.example.com --lifetime never --prefix desk --secrets MINE --url ${redis.url} --json`,
      { REDIS_URL: '', SECRETS: '', MINE: secret },
    );
    expect(status).toBe(0);
    const key = JSON.parse(stdout) as Record<string, unknown>;
    expect(key).toMatchObject({ subject: 'ann', issuer: 'https://login.example.com', scopes: [] });
    expect(key['key']).toMatch(/^desk_/);
    expect(key).not.toHaveProperty('expires');
  });

  test('the keys of a server with another prefix in Redis are kept apart', async () => {
    const stores = redisStores({ url: redis.url, prefix: 'desk:', timeout: '1m' });
    await stores.open?.({ clock: systemClock, logger: silentLogger });
    const keys = apiKeys({ records: stores.records!, secrets: [secret] });
    const { id } = await keys.create({ subject: 'ci' });
    for (const program of ['toolwright', 'toolwright-operate'] as const) {
      expect(app.run(program, 'list').stdout).toBe('There are no keys.\n');
      expect(app.run(program, 'list --redis-prefix desk:').stdout).toContain(id);
    }
    expect(app.run('toolwright', `revoke ${id} --redis-prefix desk:`).status).toBe(0);
    expect(await keys.list()).toEqual([]);
    await stores.close?.();
  });

  test.each([
    ['list --schema desk', {}, /^--schema is for PostgreSQL/],
    ['list --url postgres://127.0.0.1/app --redis-prefix desk:', {}, /^--redis-prefix is for Redis/],
    ['list --pglite data', {}, /^This folder has no @toolwright\/postgres/],
    ['create', {}, /^Pass --subject/],
    ['create --subject ci --lifetime soon', {}, /lifetime|duration/],
    ['list', { SECRETS: '' }, /^Set SECRETS to the secrets of the server/],
    ['list', { REDIS_URL: '' }, /^Set DATABASE_URL or REDIS_URL, or pass --url/],
    ['list --url mysql://127.0.0.1', {}, /^The address of the store begins with/],
    ['list --url postgres://127.0.0.1/app', {}, /^This folder has no @toolwright\/postgres/],
    ['rotate 0000000000000000', {}, /^There is no key 0000000000000000\.$/m],
  ] as const)('keys %s with %j says what is wrong, and makes no key', async (words, env, said) => {
    const { status, stdout, stderr } = app.run('toolwright', words, env);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(said);
    expect(await app.keys.list()).toEqual([]);
  });
});

describePostgres('The commands for API keys, over PostgreSQL', (postgres) => {
  test('find the keys of a server in its schema', async () => {
    const folder = new ProjectFolder();
    folder.write('package.json', '{ "name": "app", "private": true }');
    for (const name of ['core', 'identity', 'postgres'])
      folder.link(`node_modules/@toolwright/${name}`, `packages/${name}`);
    const schema = postgres.newSchema();
    const stores = postgresStores({ url: postgres.server.url, schema, timeout: '1m' });
    await stores.open({ clock: systemClock, logger: silentLogger });
    const keys = apiKeys({ records: stores.records, secrets: [secret] });
    const { id } = await keys.create({ subject: 'ci' });
    const run = (words: string) =>
      spawnSync(process.execPath, [programs['toolwright-operate'], 'keys', ...words.split(' ')], {
        cwd: folder.folder,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], DATABASE_URL: postgres.server.url, SECRETS: secret },
      }).stdout;
    expect(run('list')).toBe('There are no keys.\n');
    expect(run(`list --schema ${schema}`)).toContain(id);
    expect(run(`revoke ${id} --schema ${schema}`)).toBe(`The key ${id} is revoked.\n`);
    expect(await keys.list()).toEqual([]);
    await stores.close();
    folder.remove();
  });
});
