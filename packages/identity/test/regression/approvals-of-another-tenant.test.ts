import { Browser, hidden } from '../support/browser.js';
import { RefundDesk } from '../support/refund-desk.js';

// The page compared scopes and subjects, and not tenants: people with the scope in another organisation saw the arguments
// of a call, and could approve it.
let desk: RefundDesk;
beforeAll(async () => {
  desk = await RefundDesk.open({ tenant: 'org' });
});
afterAll(() => desk.close());

/** What the page shows to a person, who approves if it lets them. */
async function shownTo(user: string, tool: string): Promise<string> {
  let html = '';
  const client = await desk.connect('ann', {
    elicit: async ({ url }) => {
      const browser = new Browser();
      ({ html } = await browser.openAs(user, url!));
      const mayDecide = html.includes('name="decision"');
      if (mayDecide) await browser.open(url!, { token: hidden(html, 'token'), decision: 'approve' });
      return { action: mayDecide ? 'accept' : 'cancel' };
    },
  });
  await client.call(tool, { order: 'secret-order' });
  await client.close();
  return html;
}

test.each(['refund', 'refund_scoped', 'refund_four_eyes'])(
  'nobody of another tenant sees or approves %s, whatever scopes they have',
  async (tool) => {
    const html = await shownTo('dora', tool);
    expect(html).toContain('another organisation');
    expect(html).not.toContain('secret-order');
    expect(desk.refunds).toEqual([]);
  },
);

test('a person of the same tenant approves, and the audit log names the tenant of both', async () => {
  await shownTo('bea', 'refund');
  expect(desk.refunds).toEqual([{ order: 'secret-order' }]);
  expect(desk.audit.find(({ event }) => event === 'confirmed')).toMatchObject({
    principal: { subject: 'ann', tenant: 'acme' },
    approver: { subject: 'bea', tenant: 'acme' },
  });
});
