import type { ServerStores } from '@toolwright/core/ports';
import { postgresStores } from '@toolwright/postgres';
import { redisStores } from '@toolwright/redis';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { describeWithRedis, RedisServer } from '../../redis/test/support/redis-server.js';
import { Browser, hidden } from './support/browser.js';
import { RefundDesk } from './support/refund-desk.js';
import { type Json, Wire } from './support/wire.js';

const secrets = ['a secret that all processes of the server have'];

const approveAs = async (user: string, url: string) => {
  const browser = new Browser();
  const { html } = await browser.openAs(user, url);
  return browser.open(url, { token: hidden(html, 'token'), decision: 'approve' });
};

/** Two replicas, each with a connection of its own. */
function describeApprovals(stores: () => ServerStores): void {
  let here: RefundDesk;
  let there: RefundDesk;

  beforeAll(async () => {
    there = await RefundDesk.open({ secrets, stores: stores() });
    here = await RefundDesk.open({ secrets, stores: stores(), issuer: there.issuer, url: there.url });
  });
  beforeEach(() => {
    here.refunds.length = 0;
    there.refunds.length = 0;
  });
  afterAll(async () => {
    await here.close();
    await there.close();
  });

  test.each(['2026-07-28', '2025-11-25'] as const)(
    'the page of another replica approves, once (%s)',
    async (revision) => {
      const ends: string[] = [];
      const client = await here.connect('ann', {
        revision,
        elicit: async ({ url }) => {
          ends.push((await approveAs('bea', url!)).html);
          return { action: 'accept' };
        },
      });
      const result = await client.call('refund', { order: 'A1' });
      expect(result.isError).not.toBe(true);
      expect([here.refunds, there.refunds]).toEqual([[{ order: 'A1' }], []]);
      expect(ends).toEqual([expect.stringContaining('Approved')]);
      await client.close();
    },
  );

  test('an approval counts in one replica alone, for the arguments that the person saw', async () => {
    const first = await new Wire(here.server, here.principal('ann')).call('refund', { order: 'A1' });
    const { inputRequests, requestState } = first['result'] as Json;
    const [key, { params }] = Object.entries(inputRequests as Json)[0]! as [string, Json];
    await approveAs('bea', params['url'] as string);
    const answer = { requestState, inputResponses: { [key]: { action: 'accept' } } };
    const again = (desk: RefundDesk, order: string) =>
      new Wire(desk.server, desk.principal('ann')).call('refund', { order }, answer);
    expect((await again(there, 'B2'))['error']).toBeDefined();
    await Promise.all([again(here, 'A1'), again(there, 'A1'), again(here, 'A1')]);
    expect([...here.refunds, ...there.refunds]).toEqual([{ order: 'A1' }]);
  });
}

describeWithRedis('approvals on Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis.stop());

  describeApprovals(() => redisStores({ url: redis.url, timeout: '1m' }));

  test('leave nothing in Redis that says who asks for what', () => {
    const keys = redis.keys().filter((key) => key.includes('records:{approvals}:'));
    expect(keys).not.toEqual([]);
    const kept = keys.map((key) => redis.cli('GET', key)).join();
    for (const word of ['refund', '"A1"', '"ann"', '"bea"']) expect(kept).not.toContain(word);
  });
});

describePostgres('approvals on PostgreSQL', (postgres) => {
  describeApprovals(() => postgresStores({ url: postgres.server.url, schema: 'approvals', timeout: 60_000 }));
});
