import { MemoryRecordStore, systemClock } from '@toolwright/core/ports';
import type { Browser } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { apiKeys, type ApiKeys } from '../../identity/src/index.js';
import { GrantDesk } from '../../identity/test/support/grant-desk.js';
import type { Access } from '../src/index.js';
import { ConsoleUnderTest, openPage, type OpenPage } from './support/console-under-test.js';
import { goTo } from './support/records.js';
import { quietProvider } from '../../identity/test/support/quiet-provider.js';

const secrets = ['a secret of the tests that has more than 32 characters'];

quietProvider();

describeInChromium('the pane of keys and grants', (browser: () => Browser) => {
  let desk: GrantDesk;
  let keys: ApiKeys;
  let console: ConsoleUnderTest;
  let opened: OpenPage;

  beforeEach(async () => {
    const records = new MemoryRecordStore(systemClock);
    desk = await GrantDesk.open({ stores: { records }, secrets });
    keys = apiKeys({ records, secrets, remember: '0s' });
    await keys.attach(desk.server);
  });
  afterEach(async () => {
    await opened.page.context().close();
    await console.close();
    await desk.close();
  });

  const show = async (access?: Access[], dark = false) => {
    console = await ConsoleUnderTest.start([desk.server], { ...(access && { access }) });
    opened = await openPage(browser(), console.url, { colorScheme: dark ? 'dark' : 'light' });
    await goTo(opened.page, 'keys');
    return opened.page;
  };
  const clean = async () => {
    expect(await findBarriers(opened.page)).toEqual([]);
    await opened.page.setViewportSize({ width: 390, height: 700 });
    expect(await findBarriers(opened.page)).toEqual([]);
    expect(await opened.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await opened.page.setViewportSize({ width: 1280, height: 800 });
    expect(opened.complaints).toEqual([]);
  };

  test.each([[false], [true]])('a key is made, shown once and revoked (dark: %s)', async (dark) => {
    const page = await show(undefined, dark);
    await page.getByLabel('Calls as').fill('ci');
    await page.getByLabel('Of the tenant').fill('acme');
    await page.getByLabel('Scopes').fill('calendar:read calendar:write');
    await page.getByLabel('For', { exact: true }).fill('nightly');
    await clean();
    await page.getByRole('button', { name: 'Make the key' }).click();
    const made = page.getByRole('status', { name: 'The new key' });
    const key = await made.locator('code').innerText();
    expect(key).toMatch(/^tw_[0-9a-f]{16}_[\w-]{43}$/);
    await clean();
    await page.getByRole('button', { name: 'I have kept it' }).click();
    const [{ id }] = (await keys.list()) as unknown as readonly [{ id: string }];
    await page.getByRole('cell', { name: id, exact: true }).waitFor();
    await page.getByRole('cell', { name: 'ci (acme)', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('cell', { name: id, exact: true }).waitFor();
    expect(await page.content()).not.toContain(key.slice(-43));
    await clean();

    const revoke = page.getByRole('button', { name: `Revoke: key ${id}` });
    await revoke.focus();
    await page.keyboard.press('Enter');
    expect(await keys.list()).toHaveLength(1);
    await page.getByRole('button', { name: `Revoke it now: key ${id}` }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: id, exact: true }).waitFor({ state: 'detached' });
    expect(await keys.list()).toEqual([]);
  });

  test('a wish that is wrong is refused beside the form', async () => {
    const page = await show();
    await page.getByLabel('Calls as').fill(' ');
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('subject');
    expect(await keys.list()).toEqual([]);
  });

  test('a grant is shown and revoked', async () => {
    await desk.grantAs('ann');
    const page = await show();
    await page.getByRole('cell', { name: 'https://calendar.example.com', exact: true }).waitFor();
    await clean();
    const name = 'https://calendar.example.com of ann';
    await page.getByRole('button', { name: `Revoke: ${name}` }).click();
    await page.getByRole('button', { name: `Revoke it now: ${name}` }).click();
    await page.getByText(`Revoked: ${name}`).waitFor();
    expect(desk.calendar.requests.at(-1)).toMatchObject({ path: '/token/revocation' });
  });

  test('where the console may only look, nothing can be made or ended', async () => {
    await keys.create({ subject: 'ci' });
    const page = await show(['read']);
    await page.getByRole('cell', { name: 'ci', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /Revoke|Make the key/ }).count()).toBe(0);
    await clean();
  });
});
