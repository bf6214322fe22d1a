import type { ServerStores } from '@toolwright/core/ports';
import { postgresStores } from '@toolwright/postgres';
import { redisStores } from '@toolwright/redis';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { describeWithRedis } from '../../redis/test/support/redis-server.js';
import { Browser } from './support/browser.js';
import { GrantDesk, grantOnPage } from './support/grant-desk.js';
import { GrantReplica } from './support/grant-replica.js';

const secrets = ['a secret of the tests that has more than 32 characters'];

const claims = (text: string) => JSON.parse(text) as Record<string, unknown>;

/** What holds over every store that replicas share. */
function describeReplicas(name: string, stores: () => ServerStores, kept: () => Promise<string>): void {
  describe(name, () => {
    let ahead = 0;
    const after = (ms: number, run: () => void) => {
      const handle = setTimeout(run, ms);
      return () => clearTimeout(handle);
    };
    const clock = { now: () => Date.now() + ahead, after };
    let here: GrantDesk;
    let there: GrantDesk;

    beforeAll(async () => {
      const options = { secrets, ports: { clock } };
      here = await GrantDesk.open({ ...options, stores: stores() });
      there = await GrantDesk.open({ ...options, stores: stores(), beside: here });
    });
    afterAll(async () => {
      await there.close();
      await here.close();
    });

    test.each(['2026-07-28', '2025-11-25'] as const)(
      'the page of another process takes the grant (%s)',
      async (revision) => {
        const subject = revision === '2026-07-28' ? 'ann' : 'bea';
        const person = async (url: string) =>
          void (await grantOnPage(new Browser(), { url, subject, account: `${subject}@home` }));
        const said = await there.callAs(subject, { revision, person });
        expect(claims(said.text)).toMatchObject({ sub: `${subject}@home` });
        expect(claims((await here.callAs(subject)).text)).toEqual(claims(said.text));
      },
    );

    test('two processes refresh a token once, and the new refresh token serves both', async () => {
      for (let time = 1; time <= 2; time++) {
        ahead += 3_600_000;
        const before = here.calendar.refreshes();
        const all = await Promise.all(
          Array.from({ length: 40 }, (_, at) => [here, there][at % 2]!.callAs('ann')),
        );
        expect(new Set(all.map(({ text }) => text)).size).toBe(1);
        expect(claims(all[0]!.text)).toMatchObject({ sub: 'ann@home' });
        expect(here.calendar.refreshes() - before).toBe(1);
      }
    });

    test('nothing in the store opens anything, or says whose it is', async () => {
      const text = await kept();
      expect(text.length).toBeGreaterThan(200);
      for (const secret of ['eyJhbGciOi', '"ann"', here.client.clientSecret, 'calendar.example'])
        expect(text).not.toContain(secret);
    });
  });
}

describeWithRedis('grants on Redis', (redis) => {
  const grantsKept = () =>
    redis
      .cli('--scan')
      .split('\n')
      .filter((key) => key.includes('records:{grants}:'))
      .map((key) => `${key} ${redis.cli('GET', key)}`)
      .join();

  describeReplicas(
    'with two replicas',
    () => redisStores({ url: redis.url, timeout: '1m' }),
    async () => grantsKept(),
  );

  test('three processes ask the issuer once when 200 calls come at a rotation', async () => {
    redis.cli('FLUSHALL');
    const desk = await GrantDesk.open({ secrets, stores: redisStores({ url: redis.url, timeout: '1m' }) });
    await desk.grantAs('ann');
    const replicas = await Promise.all(
      [1, 2, 3].map(() => GrantReplica.start(desk, { redis: redis.url, secrets })),
    );
    try {
      const token = await desk.people.token('ann');
      const askAll = () => Promise.all(Array.from({ length: 200 }, (_, at) => replicas[at % 3]!.ask(token)));
      const before = await askAll();
      expect(desk.calendar.refreshes()).toBe(0);
      for (const rotation of [1, 2]) {
        await Promise.all(replicas.map((replica) => replica.shift(rotation * 3_600_000)));
        const answers = await askAll();
        expect(new Set(answers).size).toBe(1);
        expect(answers[0]).not.toBe(before[0]);
        expect(claims(answers[0]!)).toMatchObject({ sub: 'ann@home' });
        expect(desk.calendar.refreshes()).toBe(rotation);
      }
    } finally {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await desk.close();
    }
  });
});

describePostgres('grants on PostgreSQL', (postgres) => {
  const schema = 'grants_of_replicas';
  describeReplicas(
    'with two replicas',
    () => postgresStores({ url: postgres.server.url, schema, timeout: 60_000 }),
    async () => JSON.stringify(await postgres.sql(`SELECT * FROM "${schema}".records WHERE room = 'grants'`)),
  );
});
