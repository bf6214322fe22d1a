import { MemoryRecordStore, systemClock } from '@toolwright/core/ports';
import type { Page } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { GrantDesk } from './support/grant-desk.js';
import { CALENDAR } from './support/granting-issuer.js';
import { openAs } from './support/open-as.js';

const secrets = ['a secret of the tests that has more than 32 characters'];
const phone = { width: 390, height: 700 };

let desk: GrantDesk;
let records: MemoryRecordStore;
beforeEach(async () => {
  records = new MemoryRecordStore(systemClock);
  desk = await GrantDesk.open({ stores: { records }, secrets });
});
afterEach(() => desk.close());

/** Ann calls the tool, and her client has the address of the page. */
async function call() {
  let opened!: (url: string) => void;
  const url = new Promise<string>((resolve) => (opened = resolve));
  const said = desk.callAs('ann', { person: async (address) => opened(address) });
  return { url: await url, said };
}

describeInChromium('the pages of grants in a browser', (browser) => {
  const open = (url: string, user: string, options = {}) => openAs(browser(), { url, user, options });
  const isReadable = async (page: Page) => {
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  };

  test.each(['light', 'dark'] as const)(
    'are readable for everyone (%s), and do their work',
    async (colorScheme) => {
      const { url, said } = await call();
      const page = await open(url, 'ann', { colorScheme, viewport: phone });
      expect(await page.title()).toBe(`Connect ${CALENDAR}?`);
      await isReadable(page);
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.waitForURL(`${desk.calendar.issuer}/**`);
      await page.locator('button[value="ann@home"]').click();
      await page.getByRole('heading', { name: 'Connected' }).waitFor();
      await isReadable(page);
      expect(await said).toMatchObject({ isError: false });

      await page.goto(desk.url);
      expect(await page.title()).toBe('What you have granted');
      expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([CALENDAR]);
      await isReadable(page);
      await page.getByRole('button', { name: `End the access ${CALENDAR}` }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('You have granted nothing.').waitFor();
      await isReadable(page);
      expect(desk.calendar.requests.at(-1)).toMatchObject({ path: '/token/revocation' });
      await page.context().close();
    },
  );

  test('the page that says that the issuer did not take it is readable, and leads back', async () => {
    await desk.grantAs('ann');
    const page = await open(desk.url, 'ann', { viewport: phone });
    desk.calendar.answer = 'broken';
    await page.getByRole('button', { name: 'End the access' }).click();
    await page.getByRole('heading', { name: 'The access has ended here only' }).waitFor();
    await isReadable(page);
    await page.getByRole('link', { name: /^Back/ }).click();
    await page.getByText('its issuer has not ended it yet').waitFor();
    await isReadable(page);
    await page.context().close();
  });

  test('a page of another origin can neither send the form nor show the page in a frame', async () => {
    await desk.grantAs('ann');
    const page = await open(desk.url, 'ann');
    const form = { token: '', grant: '' };
    for (const name of ['token', 'grant'] as const)
      form[name] = (await page.locator(`[name="${name}"]`).getAttribute('value'))!;
    const other = await page.context().newPage();
    // It even knows the fields. Ports of one host are one site, so the browser sends the cookie.
    await other.goto(`${desk.calendar.issuer}/.well-known/openid-configuration`);
    const fields = Object.entries(form).map(([name, value]) => `<input name="${name}" value="${value}">`);
    const frame = `<iframe src="${desk.url}"></iframe>`;
    await other.setContent(
      `${frame}<form method="post" action="${desk.url}">${fields.join('')}<button>Win</button></form>`,
    );
    await other.waitForLoadState('networkidle');
    expect(await other.frames()[1]!.content()).not.toContain(CALENDAR);
    await other.getByRole('button', { name: 'Win' }).click();
    await other.getByRole('heading', { name: 'This form is not valid' }).waitFor();
    await page.reload();
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([CALENDAR]);
    await page.context().close();
  });
});
