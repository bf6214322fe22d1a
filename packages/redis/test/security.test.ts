import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { freePort } from '../../../.ci/test/support/free-port.js';
import { makeOwnCa, type OwnCa } from '../../identity/test/support/certificates.js';
import { BACK } from './support/log-lines.js';
import { openStores, type OpenStores } from './support/open-stores.js';
import { describeWithRedis, RedisServer } from './support/redis-server.js';

const PASSWORD = 'open sesame/@:%';
const USER = 'Redis refuses the user of the stores, or the user lacks a right';
const UNTRUSTED = 'TLS with Redis fails: a certificate is not accepted';
const rule = { points: 5, perMs: 60_000 };
const encoded = encodeURIComponent(PASSWORD);

/** Uses every port once. */
async function useAll({
  rateLimiter,
  leases,
  claims,
  bus,
  events,
  sessions,
  cache,
}: OpenStores): Promise<void> {
  for (let calls = 0; calls < 2; calls++) await rateLimiter.consume('ann', 1, rule);
  await (await leases.acquire([{ key: 'a', max: 1 }]))!();
  await claims.claim('a', 60_000);
  expect(await claims.has!('a')).toBe(true);
  await claims.release('a');
  for (let index = 0; index < 4; index++) await events.append('s', 'a', { id: `a_${index}`, text: 'text' });
  expect(await events.after('s', 'a', 'a_2')).toHaveLength(1);
  await events.drop('s');
  await sessions.set('a', { subscriptions: [] }, 60_000);
  expect(await sessions.get('a')).toEqual({ subscriptions: [] });
  await sessions.delete('a');
  await cache.set('a', 1, 60_000);
  expect(await cache.get('a')).toBe(1);
  await bus.publish({ type: 'toolsListChanged' });
}

describeWithRedis('a Redis with users', (server) => {
  beforeAll(async () => {
    const guide = readFileSync(join(__dirname, '../../../docs/stores.md'), 'utf8');
    const [, rules] = /^ACL SETUSER toolwright ([^]*?)^```/m.exec(guide)!;
    const words = rules!.replaceAll(/\\\n/g, ' ').trim().split(/\s+/);
    server.cli(
      'ACL',
      'SETUSER',
      'toolwright',
      ...words.map((word) => (word.startsWith('>') ? `>${PASSWORD}` : word)),
    );
    server.cli('ACL', 'SETUSER', 'deaf', `>${PASSWORD}`, 'on', '~*', '+@all', 'resetchannels');
  });

  const urlOf = (user: string, password = encoded) => `redis://${user}:${password}@127.0.0.1:${server.port}`;

  it('gives a user everything that the stores need with the rules of the guide', async () => {
    const mine = await openStores({ url: urlOf('toolwright'), maxEvents: 3 });
    const theirs = await openStores({ url: urlOf('toolwright') });
    const heard = new Promise((resolve) => theirs.bus.subscribe(resolve));
    await useAll(mine);
    expect(await heard).toEqual({ type: 'toolsListChanged' });
    expect(mine.log.lines).toEqual([]);
    expect(server.cli('ACL', 'LOG')).toBe('');
    await mine.close();
    await theirs.close();
  });

  it('counts as away when the password is wrong, and no password is in logs, errors or health', async () => {
    const stores = await openStores({ url: urlOf('toolwright', 'wrong-password'), timeout: 100 });
    const calls = [
      async () => stores.rateLimiter.consume('ann', 1, rule),
      async () => stores.leases.acquire([{ key: 'a', max: 1 }]),
    ];
    const errors = await Promise.allSettled(calls.map((call) => call()));
    expect(stores.log.lines).toMatchObject([
      { message: USER, fields: { reason: expect.stringContaining('WRONGPASS') } },
    ]);
    const announced = inspect([stores.log.lines, errors, stores.health(), stores], { depth: 4 });
    expect(announced).not.toContain('wrong-password');
    await stores.close();
  });

  it('says that it refuses when the user lacks a right, also within a script', async () => {
    server.cli('ACL', 'SETUSER', 'poor', `>${PASSWORD}`, 'on', '~*', '&*', '+@all', '-pttl', '-exists');
    const stores = await openStores({ url: urlOf('poor') });
    const calls = [() => stores.rateLimiter.consume('ann', 1, rule), () => stores.claims.has!('a')];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ isRefusal: true });
    expect(stores.health()).toMatchObject([{ up: true }]);
    expect(stores.log.lines).toMatchObject([{ message: USER }]);
    await stores.close();
  });

  it('says so when the password is changed while it serves', async () => {
    server.cli('ACL', 'SETUSER', 'changing', '>old', 'on', '~*', '&*', '+@all');
    const stores = await openStores({ url: urlOf('changing', 'old') });
    server.cli('ACL', 'SETUSER', 'changing', '<old', '>new');
    server.cli('CLIENT', 'KILL', 'USER', 'changing');
    await stores.log.heard(USER);
    server.cli('ACL', 'SETUSER', 'changing', '>old');
    await stores.log.heard('Redis takes the user of the stores again');
    await stores.close();
  });

  it('counts as away until the user may subscribe', async () => {
    const stores = await openStores({ url: urlOf('deaf'), timeout: 100 });
    expect(stores.health()).toMatchObject([{ up: false }]);
    expect(stores.log.lines).toMatchObject([
      { message: USER, fields: { reason: expect.stringContaining('NOPERM') } },
    ]);
    server.cli('ACL', 'SETUSER', 'deaf', '&toolwright:*');
    await stores.log.heard('Redis takes the user of the stores again');
    await stores.close();
  });
});

describeWithRedis('a Redis with TLS', () => {
  let server: RedisServer;
  let url: string;
  let ca: string;
  const folder = temporaryFolder();

  beforeAll(async () => {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const name = ['-subj', '/CN=redis', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const files = ['-keyout', key, '-out', certificate];
    execFileSync('openssl', ['req', '-x509', ...kind, ...name, ...files], { stdio: 'ignore' });
    ca = readFileSync(certificate, 'utf8');
    const [tlsKey, tlsCertificate] = [
      ['--tls-key-file', key],
      ['--tls-cert-file', certificate],
    ];
    const port = await freePort();
    server = await RedisServer.start(
      '--tls-port',
      String(port),
      '--tls-auth-clients',
      'no',
      ...tlsKey,
      ...tlsCertificate,
    );
    url = `rediss://127.0.0.1:${port}`;
  });

  afterAll(async () => {
    await server.stop();
  });

  it('serves the stores', async () => {
    const stores = await openStores({ url, tls: { ca } });
    await useAll(stores);
    await stores.close();
  });

  it('counts as away when nobody vouches for its certificate', async () => {
    const stores = await openStores({ url, timeout: 100 });
    expect(stores.log.lines).toMatchObject([
      { message: UNTRUSTED, fields: { reason: expect.stringContaining('self-signed') } },
    ]);
    await stores.close();
  });
});

describeWithRedis('a Redis whose certificate is replaced, with its authority', () => {
  const folder = temporaryFolder();
  const old = makeOwnCa('the old authority');
  const next = makeOwnCa('the next authority');
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const write = ({ server }: OwnCa) => {
    writeFileSync(key, server.key);
    writeFileSync(certificate, server.cert);
  };
  let server: RedisServer;
  afterAll(async () => {
    await server.stop();
  });

  it('goes on for those who trust both, and says why for those who trust the old one alone', async () => {
    write(old);
    const port = await freePort();
    const files = ['--tls-key-file', key, '--tls-cert-file', certificate];
    server = await RedisServer.start('--tls-port', String(port), '--tls-auth-clients', 'no', ...files);
    const url = `rediss://127.0.0.1:${port}`;
    const both = await openStores({ url, tls: { ca: [old.ca, next.ca] } });
    const alone = await openStores({ url, tls: { ca: old.ca } });

    write(next);
    server.cli('CONFIG', 'SET', 'tls-key-file', key, 'tls-cert-file', certificate);
    // Nobody asks for a certificate while a connection is open.
    for (const stores of [both, alone]) await stores.sessions.set('a', { subscriptions: [] }, 60_000);
    server.cli('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    server.cli('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await both.log.heard(BACK);
    expect(await both.sessions.get('a')).toEqual({ subscriptions: [] });
    await expect(Promise.resolve(alone.sessions.get('a'))).rejects.toThrow('Redis is away.');
    await alone.log.heard(UNTRUSTED);
    for (const stores of [both, alone]) await stores.close();
  });
});
