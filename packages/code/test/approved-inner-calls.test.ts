import { answerAs, inboxOf } from '../../identity/test/support/asked.js';
import { RefundDesk } from '../../identity/test/support/refund-desk.js';

let desk: RefundDesk;
beforeAll(async () => {
  desk = await RefundDesk.open({
    codeMode: true,
    secrets: ['a secret of the server that nobody else knows'],
  });
});
afterAll(() => desk.close());
beforeEach(() => {
  desk.refunds.length = 0;
});

/** Runs a program as Ann. `person` answers at each address. */
async function run(revision: string, code: string, person: (url: string) => Promise<unknown>) {
  const asked: string[] = [];
  const client = await desk.connect('ann', {
    revision: revision as '2026-07-28',
    elicit: async ({ url }) => {
      asked.push(url!);
      await person(url!);
      return { action: 'accept' };
    },
  });
  const { structuredContent } = await client.call('run_code', { code });
  await client.close();
  return { asked, result: (structuredContent as { result?: unknown } | undefined)?.result };
}

describe.each(['2026-07-28', '2025-11-25'])('a call inside a program (%s)', (revision) => {
  test('waits for two people in their inbox, and runs once when both have approved', async () => {
    const seen: string[] = [];
    const code = `await tools.refund_above({ order: 'small', amount: 500 });
      return await tools.refund_two({ order: 'A1' })`;
    const { asked, result } = await run(revision, code, async (url) => {
      for (const user of ['bea', 'eli']) {
        const { items } = await inboxOf(desk, user);
        seen.push(...items.map(({ html }) => html.slice(0, html.indexOf('</h2>'))));
        await answerAs(user, url, 'approve');
      }
    });
    expect(result).toBe('refunded');
    expect(asked).toHaveLength(1);
    expect(seen).toEqual(['Refund order A1?', 'Refund order A1?']);
    expect(desk.refunds).toEqual([{ order: 'small', amount: 500 }, { order: 'A1' }]);
  });

  test('that somebody refuses fails, and the program hears why', async () => {
    const code = `try { await tools.refund_two({ order: 'A1' }) } catch (error) { return error.message }`;
    const { result } = await run(revision, code, async (url) => {
      await answerAs('bea', url, 'approve');
      await answerAs('eli', url, 'refuse');
    });
    expect(result).toContain('A person has refused refund_two.');
    expect(desk.refunds).toEqual([]);
  });
});
