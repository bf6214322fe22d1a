import { MemoryClaimStore, MemoryRecordStore, type ServerStores, systemClock } from '@toolwright/core/ports';
import { postgresStores } from '@toolwright/postgres';
import { redisStores } from '@toolwright/redis';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { describeWithRedis } from '../../redis/test/support/redis-server.js';
import { answerAs, ask, type Asked, inboxOf } from './support/asked.js';
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
  /** Has a page of its own. */
  let elsewhere: RefundDesk;

  beforeAll(async () => {
    const given = () => ({ secrets, stores: stores(), delegation: '14d' as const });
    there = await RefundDesk.open(given());
    here = await RefundDesk.open({ ...given(), issuer: there.issuer, url: there.url });
    elsewhere = await RefundDesk.open({ ...given(), beside: there });
  });
  beforeEach(() => {
    here.refunds.length = 0;
    there.refunds.length = 0;
  });
  afterAll(async () => {
    await here.close();
    await elsewhere.close();
    await there.close();
  });

  test('eight forms of one delegate at once make one delegate', async () => {
    const { browser, html } = await inboxOf(here, 'eli');
    const form = {
      token: hidden(html.slice(html.indexOf('<section>')), 'token'),
      subject: 'cleo',
      days: '7',
    };
    await Promise.all(Array.from({ length: 8 }, () => browser.open(`${here.url}/delegates`, form)));
    expect((await inboxOf(here, 'eli')).html.match(/name="end"/g)).toHaveLength(1);
    const named = [...here.history, ...there.history].filter(({ outcome }) => outcome === 'delegated');
    expect(named).toHaveLength(1);
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

  /** The address of a question on the page of another replica. */
  const at = (desk: RefundDesk, { id }: Asked) => `${desk.url}/${id}`;

  test('two people who approve at the same moment at two replicas are both counted, and the call runs once', async () => {
    for (let round = 0; round < 5; round++) {
      here.refunds.length = 0;
      const asked = await ask(here, 'ann', 'refund_two');
      const pages = await Promise.all([
        answerAs('bea', asked.url, 'approve'),
        answerAs('eli', at(elsewhere, asked), 'approve'),
        answerAs('bea', at(elsewhere, asked), 'approve'),
      ]);
      expect(pages.some(({ html }) => html.includes('The call runs now'))).toBe(true);
      await Promise.all([asked.resume(), asked.resume(there)]);
      expect([...here.refunds, ...there.refunds]).toHaveLength(1);
      there.refunds.length = 0;
    }
  });

  test('of a refusal and the last approval at two replicas, one ends the question', async () => {
    for (let round = 0; round < 5; round++) {
      const before = [here, there, elsewhere].map(({ history }) => history.length);
      const asked = await ask(here, 'ann', 'refund');
      await Promise.all([
        answerAs('bea', asked.url, 'approve'),
        answerAs('eli', at(elsewhere, asked), 'refuse'),
      ]);
      await asked.resume();
      const ends = [here, there, elsewhere].flatMap(({ history }, index) =>
        history.slice(before[index]).filter(({ outcome }) => outcome !== 'opened'),
      );
      expect(ends).toHaveLength(1);
      expect(here.refunds).toHaveLength(ends[0]!['outcome'] === 'approved' ? 1 : 0);
      here.refunds.length = 0;
    }
  });

  test('the inbox of another replica shows what waits, and delegates count there, too', async () => {
    const { browser, html } = await inboxOf(there, 'bea');
    const token = hidden(html.slice(html.indexOf('<section>')), 'token');
    await browser.open(`${there.url}/delegates`, { token, subject: 'cleo', days: '1' });
    const asked = await ask(here, 'ann', 'refund', { order: 'by-delegate' });
    const { items } = await inboxOf(elsewhere, 'cleo');
    expect(items.filter(({ html: item }) => item.includes('by-delegate'))).toHaveLength(1);
    await answerAs('cleo', at(elsewhere, asked), 'approve');
    await asked.resume(there);
    expect(there.refunds).toEqual([{ order: 'by-delegate' }]);
  });

  test('a question survives that all processes stop and start again', async () => {
    const given = () => ({ secrets, stores: stores(), beside: there });
    const before = await RefundDesk.open(given());
    const asked = await ask(before, 'ann', 'refund', { order: 'before' });
    await before.close();
    const after = await RefundDesk.open(given());
    const { items } = await inboxOf(after, 'bea');
    expect(items.some(({ html }) => html.includes('Refund order before?'))).toBe(true);
    await answerAs('bea', at(after, asked), 'approve');
    await asked.resume(after);
    expect(after.refunds).toEqual([{ order: 'before' }]);
    await after.close();
  });
}

describe('approvals in memory', () => {
  const claims = new MemoryClaimStore(systemClock);
  const records = new MemoryRecordStore(systemClock);
  describeApprovals(() => ({ claims, records }));
});

describeWithRedis('approvals on Redis', (redis) => {
  describeApprovals(() => redisStores({ url: redis.url, timeout: '1m' }));

  test('leave nothing in Redis that says who asks for what', () => {
    const keys = redis.keys().filter((key) => /records:\{approval(s|-delegations)\}:/.test(key));
    expect(keys).not.toEqual([]);
    const kept = keys.map((key) => redis.cli('GET', key)).join();
    for (const word of ['refund', '"A1"', '"ann"', '"bea"', '"cleo"']) expect(kept).not.toContain(word);
  });
});

describePostgres('approvals on PostgreSQL', (postgres) => {
  describeApprovals(() => postgresStores({ url: postgres.server.url, schema: 'approvals', timeout: 60_000 }));
});
