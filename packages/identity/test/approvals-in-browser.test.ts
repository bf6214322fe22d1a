import type { Page } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { RefundDesk } from './support/refund-desk.js';
import { openAs } from './support/open-as.js';

let desk: RefundDesk;
beforeAll(async () => {
  desk = await RefundDesk.open({ delegation: '14d' });
});
afterAll(() => desk.close());
beforeEach(() => {
  desk.refunds.length = 0;
});

/** Calls the tool. The client accepts as soon as it has the address, as many do, and the person comes later. */
async function call(tool = 'refund'): Promise<{ url: string; text: Promise<string> }> {
  let opened!: (url: string) => void;
  const url = new Promise<string>((resolve) => (opened = resolve));
  const client = await desk.connect('ann', {
    elicit: (question) => {
      opened(question.url!);
      return { action: 'accept' };
    },
  });
  const text = client.call(tool, { order: 'A1' }).then(async ({ content }) => {
    await client.close();
    return (content[0] as { text: string }).text;
  });
  return { url: await url, text };
}

const lookOf = (page: Page, name: string) =>
  page
    .getByRole('button', { name })
    .evaluate((button) => (globalThis as any).getComputedStyle(button).backgroundColor as string);

describeInChromium('the approval page in a browser', (browser) => {
  const open = (url: string, user: string, options = {}) => openAs(browser(), { url, user, options });

  test.each(['light', 'dark'] as const)(
    'is readable for everyone (%s), and approves',
    async (colorScheme) => {
      const { url, text } = await call();
      const page = await open(url, 'bea', { colorScheme, viewport: { width: 390, height: 700 } });
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.title()).toBe('Approve: refund');
      expect(await page.textContent('main')).toContain('You are signed in as bea.');
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      const looks = await Promise.all(['Approve', 'Refuse'].map((name) => lookOf(page, name)));
      expect(new Set(looks).size).toBe(2);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('heading', { name: 'Approved' }).waitFor();
      expect(await text).toBe('refunded');
      await page.context().close();
      expect(desk.refunds).toEqual([{ order: 'A1' }]);
    },
  );

  test('refuses when the caller, who alone may answer, closes it without an answer', async () => {
    const { url, text } = await call('refund_own');
    const page = await open(url, 'ann');
    await page.close({ runBeforeUnload: true });
    expect(await text).toContain('The page was closed');
    await page.context().close();
  });

  test('leaves a call to the other approvers when one of them closes the page', async () => {
    const { url, text } = await call();
    const page = await open(url, 'bea');
    await page.close({ runBeforeUnload: true });
    const other = await open(url, 'eli');
    await other.getByRole('button', { name: 'Approve' }).click();
    expect(await text).toBe('refunded');
    for (const each of [page, other]) await each.context().close();
  });

  test.each(['light', 'dark'] as const)(
    'has an inbox that everyone can read and use (%s)',
    async (colorScheme) => {
      const { text } = await call('refund_scoped');
      const page = await open(desk.url, 'bea', { colorScheme, viewport: { width: 390, height: 700 } });
      expect(await page.title()).toBe('What waits for you');
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.getByLabel(/The person/).fill('cleo');
      await page.getByRole('button', { name: 'Name a delegate' }).click();
      await page.getByText('cleo, until').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      const looks = await Promise.all(
        ['Approve Run it once', 'Refuse Nothing is done'].map((name) => lookOf(page, name)),
      );
      expect(new Set(looks).size).toBe(2);
      // Going away decides nothing: the page is no question.
      await page.reload();
      await page.getByRole('button', { name: 'Approve Run it once' }).click();
      await page.getByRole('heading', { name: 'Approved' }).waitFor();
      expect(await text).toBe('refunded');
      await page.getByRole('link', { name: 'What else waits for you' }).click();
      await page.getByText('Nothing waits for you now.').waitFor();
      await page.context().close();
    },
  );

  test('lets somebody sign in as another person', async () => {
    const { url, text } = await call();
    const page = await open(url, 'ann');
    await page.getByRole('heading', { name: 'You cannot approve this' }).waitFor();
    await page.getByRole('link', { name: /Sign in again/ }).click();
    await page.locator('button[value="bea"]').click();
    await page.getByRole('button', { name: 'Refuse' }).click();
    expect(await text).toContain('A person has refused refund');
    await page.context().close();
  });

  test('is shown in no frame', async () => {
    const { url, text } = await call();
    const page = await open(url, 'bea');
    const other = await page.context().newPage();
    await other.goto(desk.issuer.issuer);
    await other.setContent(`<iframe src="${url}"></iframe>`);
    await other.waitForLoadState('networkidle');
    expect(await other.frames()[1]!.content()).not.toContain('name="decision"');
    await page.getByRole('button', { name: 'Refuse' }).click();
    await text;
    await page.context().close();
  });
});
