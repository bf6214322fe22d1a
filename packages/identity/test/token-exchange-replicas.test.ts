import { redisStores } from '@toolwright/redis';
import { describeWithRedis } from '../../redis/test/support/redis-server.js';
import { type BehalfServer, startBehalfServer } from './support/behalf-server.js';
import { type ExchangingIssuer, startExchangingIssuer } from './support/exchanging-issuer.js';

/** Three letters of its beginning alone may stand in any sealed text. */
const JSON_WEB_TOKEN = /eyJ[\w-]+\.eyJ/;
const secrets = ['a secret of the tests that has more than 32 characters'];

describeWithRedis('three replicas on one Redis', (redis) => {
  let issuer: ExchangingIssuer;
  let replicas: BehalfServer[];
  let ahead = 0;
  const after = (ms: number, run: () => void) => {
    const handle = setTimeout(run, ms);
    return () => clearTimeout(handle);
  };
  const clock = { now: () => Date.now() + ahead, after };

  beforeAll(async () => {
    issuer = await startExchangingIssuer();
  });
  beforeEach(async () => {
    replicas = await Promise.all(
      [1, 2, 3].map(() =>
        startBehalfServer(
          issuer,
          {},
          { stores: redisStores({ url: redis.url, timeout: '5s' }), secrets, ports: { clock } },
        ),
      ),
    );
    issuer.requests.length = 0;
  });
  afterEach(async () => {
    await Promise.all(replicas.map((each) => each.close()));
    issuer.answer = 'token';
  });
  afterAll(async () => {
    await issuer.close();
  });

  const askAll = (token: string) =>
    Promise.all(Array.from({ length: 200 }, (_, at) => replicas[at % 3]!.ask(token)));

  test('ask the issuer once when 200 calls come at a rotation', async () => {
    const token = await issuer.token('ann');
    for (const { isError } of await askAll(token)) expect(isError).toBe(false);
    expect(issuer.requests).toHaveLength(1);
    // All have a token, and it expires for all at the same time.
    ahead += 3_600_000;
    const answers = await askAll(token);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(issuer.requests).toHaveLength(2);
  });

  test('ask an issuer in trouble once, and all their callers hear it', async () => {
    issuer.answer = 'broken';
    for (const { text } of await askAll(await issuer.token('ben'))) expect(text).toContain('Try again later');
    expect(issuer.requests).toHaveLength(1);
  });

  test('keep nothing in Redis that opens anything', async () => {
    const token = await issuer.token('cleo@example.org');
    const { text } = await replicas[0]!.ask(token);
    const { jti } = JSON.parse(text) as { jti: string };
    const keys = redis
      .cli('--scan')
      .split('\n')
      .filter((key) => key.includes('records:{tokens}:'));
    expect(keys).not.toEqual([]);
    const kept = keys.map((key) => redis.cli('GET', key)).join();
    for (const secret of [token, jti, 'cleo@']) expect(kept).not.toContain(secret);
    expect(kept).not.toMatch(JSON_WEB_TOKEN);
  });

  test('get tokens while Redis is away, each by itself', async () => {
    const token = await issuer.token('dan');
    redis.pause();
    try {
      expect((await replicas[0]!.ask(token)).isError).toBe(false);
      expect((await replicas[1]!.ask(token)).isError).toBe(false);
    } finally {
      redis.resume();
    }
    expect(issuer.requests).toHaveLength(2);
  });
});
