import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { postgresStores } from '@toolwright/postgres';
import { redisStores } from '@toolwright/redis';
import { ProjectFolder } from '../../cli/test/support/project-folder.js';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { describeWithRedis } from '../../redis/test/support/redis-server.js';
import { GrantDesk } from './support/grant-desk.js';
import { CALENDAR } from './support/granting-issuer.js';

const secret = 'a-secret-of-the-server-that-is-long-enough';
const packages = join(__dirname, '../..');
const programs = {
  toolwright: join(packages, 'cli/bin/toolwright.js'),
  'toolwright-operate': join(packages, 'operate/bin/toolwright-operate.js'),
};

/** A folder of an app that has these packages. */
class AppFolder extends ProjectFolder {
  constructor(
    store: 'redis' | 'postgres',
    private readonly address: Record<string, string>,
  ) {
    super();
    this.write('package.json', '{ "name": "app", "private": true }');
    for (const name of ['core', 'identity', store])
      this.link(`node_modules/@toolwright/${name}`, `packages/${name}`);
  }

  /** Runs a command. The issuer is in this process, so nothing here may block. */
  async run(program: keyof typeof programs, words: string, env: Record<string, string> = {}) {
    const child = spawn(process.execPath, [programs[program], 'grants', ...words.split(' ')], {
      cwd: this.folder,
      env: { PATH: process.env['PATH'], ...this.address, SECRETS: secret, ...env },
    });
    const out = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (data: Buffer) => (out[name] += data.toString()));
    const [status] = (await once(child, 'close')) as [number];
    return { status, ...out };
  }
}

describeWithRedis('The commands for grants', (redis) => {
  let app: AppFolder;
  let desk: GrantDesk;
  beforeAll(async () => {
    app = new AppFolder('redis', { REDIS_URL: redis.url });
    desk = await GrantDesk.open({
      secrets: [secret],
      stores: redisStores({ url: redis.url, timeout: '1m' }),
    });
  });
  afterAll(async () => {
    await desk.close();
    app.remove();
  });

  test('grants list, revoke, by either program', async () => {
    expect(await app.run('toolwright-operate', 'list')).toEqual({
      status: 0,
      stdout: 'There are no grants.\n',
      stderr: '',
    });
    await desk.grantAs('ann');
    await desk.grantAs('bea');
    const mine = (await app.run('toolwright', 'list --subject ann')).stdout;
    const [, id] = /^([0-9a-f]{40}) {2}ann {2}/.exec(mine)!;
    expect(mine).toMatch(
      new RegExp(
        `^${id}  ann  ${CALENDAR}  calendar:read calendar:write  granted [^\\n]+  refreshed [^\\n]+\\n$`,
      ),
    );
    const all = JSON.parse((await app.run('toolwright-operate', 'list --json')).stdout) as {
      id: string;
      subject: string;
    }[];
    expect(all.map(({ subject }) => subject)).toEqual(['ann', 'bea']);

    const failed = await app.run('toolwright', `revoke ${id}`);
    expect([failed.status, failed.stdout]).toEqual([1, '']);
    expect(failed.stderr).toContain('its issuer has not revoked it: invalid_client. Run the command again');
    expect((await desk.callAs('ann', { action: 'cancel' })).isError).toBe(true);
    expect((await app.run('toolwright-operate', 'list')).stdout).toContain('revoked here only');

    const client = { MINE: desk.client.clientSecret };
    const revoked = await app.run('toolwright', `revoke ${id} --client-secret MINE`, client);
    const stdout = `The grant ${id} is revoked, here and at its issuer.\n`;
    expect(revoked).toEqual({ status: 0, stdout, stderr: '' });
    expect((await desk.callAs('bea')).isError).toBe(false);

    const again = await app.run('toolwright-operate', `revoke ${id} --client-secret MINE`, client);
    expect([again.status, again.stderr]).toEqual([1, `There is no grant ${id}.\n`]);
    await app.run('toolwright', `revoke ${all[1]!.id} --client-secret MINE`, client);
  });

  test('the grants of a server with another prefix in Redis are kept apart', async () => {
    const stores = redisStores({ url: redis.url, prefix: 'desk:', timeout: '1m' });
    const other = await GrantDesk.open({ secrets: [secret], stores });
    await findAndRevoke(other, app, '--redis-prefix desk:');
    await other.close();
  });

  test.each([
    ['list --schema desk', {}, /^--schema is for PostgreSQL/],
    ['list --url postgres://127.0.0.1/app --redis-prefix desk:', {}, /^--redis-prefix is for Redis/],
    ['list', { SECRETS: '' }, /^Set SECRETS to the secrets of the server/],
    ['list', { REDIS_URL: '' }, /^Set DATABASE_URL or REDIS_URL, or pass --url/],
    ['revoke 00', {}, /^There is no grant 00\./],
    ['revoke 00 --client-secret MINE', {}, /^Set MINE to the secret of the client\./],
  ] as const)('grants %s with %j says what is wrong', async (words, env, said) => {
    const { status, stdout, stderr } = await app.run('toolwright', words, env);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(said);
  });
});

/** The command finds a grant of a server at its place in the store alone, and revokes it there. */
async function findAndRevoke(desk: GrantDesk, app: AppFolder, place: string): Promise<void> {
  await desk.grantAs('ann');
  for (const program of ['toolwright', 'toolwright-operate'] as const) {
    expect(await app.run(program, 'list')).toMatchObject({ status: 0, stdout: 'There are no grants.\n' });
    expect((await app.run(program, `list ${place}`)).stdout).toContain(CALENDAR);
  }
  const [{ id }] = JSON.parse((await app.run('toolwright', `list --json ${place}`)).stdout) as [
    { id: string },
  ];
  const client = { MINE: desk.client.clientSecret };
  const revoked = await app.run('toolwright', `revoke ${id} --client-secret MINE ${place}`, client);
  expect(revoked).toMatchObject({ status: 0, stderr: '' });
  expect((await desk.callAs('ann', { action: 'cancel' })).isError).toBe(true);
}

describePostgres('The commands for grants, over PostgreSQL', (postgres) => {
  test('find the grants of a server in its schema', async () => {
    const { url } = postgres.server;
    const schema = postgres.newSchema();
    const stores = postgresStores({ url, schema, timeout: '1m' });
    const desk = await GrantDesk.open({ secrets: [secret], stores });
    const app = new AppFolder('postgres', { DATABASE_URL: url });
    await findAndRevoke(desk, app, `--schema ${schema}`);
    await desk.close();
    app.remove();
  });
});
