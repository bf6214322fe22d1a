import { Browser, hidden } from './support/browser.js';
import { RefundDesk } from './support/refund-desk.js';

/** Bea may approve refunds, in a tenant of her own. */
const tenant = ({ sub }: Readonly<Record<string, unknown>>) => (sub === 'bea' ? 'acme' : 'globex');

test.each(['refund', 'refund_scoped', 'refund_four_eyes'])(
  'nobody of another tenant sees or approves a call of %s, whatever scopes they have there',
  async (tool) => {
    const desk = await RefundDesk.open({ tenant });
    const pages: string[] = [];
    const client = await desk.connect(undefined, {
      principal: { ...desk.principal('ann'), tenant: 'globex' },
      elicit: async ({ url }) => {
        const browser = new Browser();
        const { html, status } = await browser.openAs('bea', url!);
        pages.push(html);
        expect(status).toBe(403);
        const form = { token: hidden(html, 'token'), decision: 'approve' };
        expect((await browser.open(url!, form)).status).toBe(403);
        return { action: 'cancel' };
      },
    });
    // The address of a page is drawn at random, so a short name could be in it.
    const { isError } = await client.call(tool, { order: 'order-of-globex' });
    expect([isError, desk.refunds]).toEqual([true, []]);
    expect(pages.join()).toContain('another organisation');
    expect(pages.join()).not.toContain('order-of-globex');
    await client.close();
    await desk.close();
  },
);

test('a caller of one tenant is not the caller of another, though issuer and subject are the same', async () => {
  const desk = await RefundDesk.open({ tenant });
  const client = await desk.connect(undefined, {
    principal: { ...desk.principal('ann'), tenant: 'initech' },
    elicit: async ({ url }) => {
      expect((await new Browser().openAs('ann', url!)).status).toBe(403);
      return { action: 'cancel' };
    },
  });
  expect((await client.call('refund_own', { order: 'A1' })).isError).toBe(true);
  await client.close();
  await desk.close();
});

test('a person of the same tenant approves, and the audit log names the tenant of both', async () => {
  const desk = await RefundDesk.open({ tenant: 'org' });
  const client = await desk.connect('ann', {
    elicit: async ({ url }) => {
      const browser = new Browser();
      const { html } = await browser.openAs('bea', url!);
      await browser.open(url!, { token: hidden(html, 'token'), decision: 'approve' });
      return { action: 'accept' };
    },
  });
  await client.call('refund', { order: 'A1' });
  expect(desk.refunds).toEqual([{ order: 'A1' }]);
  expect(desk.audit.find(({ event }) => event === 'confirmed')).toMatchObject({
    principal: { subject: 'ann', tenant: 'acme' },
    approver: { subject: 'bea', tenant: 'acme' },
  });
  await client.close();
  await desk.close();
});
