import { createMcpServer, RequireScopes, type McpServer } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { ConsoleUnderTest, type OpenPage, schemes } from './support/console-under-test.js';
import { goTo } from './support/records.js';

const issuer = 'http://127.0.0.1:4000';
const testUsers = [
  { subject: 'ada', issuer, scopes: ['books:read', 'books:close'] },
  { subject: 'bob', issuer, scopes: ['books:read'] },
];

describeInChromium('the pane of access: who sees what', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;

  beforeEach(async () => {
    server = await createMcpServer({
      name: 'books',
      version: '1.0.0',
      services: [],
      audit: false,
      authorize: (principal, { name }) => name !== 'admin' || principal?.subject === 'ada',
    });
    const add = (name: string, policies: Parameters<typeof server.tools.add>[0]['policies'] = []) =>
      server.tools.add({ name, inputSchema: { type: 'object' }, policies, handler: () => name });
    add('hello');
    add('read', [RequireScopes.entry('books:read', { whenMissing: 'list' })]);
    add('close', [RequireScopes.entry('books:read', 'books:close')]);
    add('admin');
    console = await ConsoleUnderTest.forTest([server], { overview: { testUsers } });
    opened = await console.show(browser());
    await goTo(opened.page, 'access');
  });

  /** What the table says, cell by cell. */
  const readTable = async () => {
    const rows = await opened.page.getByRole('table').getByRole('row').all();
    const cells = rows.slice(1).map((row) => row.locator('th, td').allInnerTexts());
    return (await Promise.all(cells)).map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()));
  };

  test('each tool says of each caller whether it is open, locked or hidden, and why', async () => {
    const { page, complaints } = opened;
    await page.getByRole('link', { name: 'hello' }).waitFor();
    const heads = await page.getByRole('columnheader').allInnerTexts();
    expect(heads.map((head) => head.split('\n')[0]!.trim().replace(/now$/, ''))).toEqual([
      'Tool',
      'anonymous',
      'ada',
      'bob',
      'every scope',
    ]);
    const no = 'hidden authorize says no';
    expect(await readTable()).toEqual([
      ['hello', 'open', 'open', 'open', 'open'],
      ['read', 'locked lacks books:read', 'open', 'open', 'open'],
      ['close', 'hidden lacks books:read, books:close', 'open', 'hidden lacks books:close', 'open'],
      ['admin', no, 'open', no, no],
    ]);
    expect(complaints).toEqual([]);
  });

  test('it works with the keyboard alone: search, filter, scroll, and choose a caller', async () => {
    const { page } = opened;
    await page.getByRole('link', { name: 'hello' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('clo');
    await page.getByText('1 of 4').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'locked' }).press('Enter');
    await page.getByText('1 of 4').waitFor();
    expect((await readTable()).map(([tool]) => tool)).toEqual(['read']);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Tools and callers');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('ada');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'ada', exact: true }).waitFor();
    await page.getByRole('link', { name: 'close' }).waitFor();
  });

  test('a caller with other claims has a column of its own, and a tool that comes appears', async () => {
    const { page } = opened;
    await page.getByRole('button', { name: 'anonymous', exact: true }).click();
    await page.getByLabel('Subject').fill('eve');
    await page.getByLabel('Claims, as a JSON object').fill('{"tenant":"a"}');
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByRole('button', { name: 'Call as eve', exact: true }).waitFor();
    server.tools.add({ name: 'brand_new', inputSchema: { type: 'object' }, handler: () => 'new' });
    await page.getByRole('link', { name: 'brand_new' }).waitFor();
  });

  test.each(schemes)('there are no barriers, nor on a phone (%s)', async (colorScheme) => {
    const { page, complaints } = opened;
    await page.emulateMedia({ colorScheme });
    await page.getByRole('link', { name: 'hello' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 700 });
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const table = (await page.getByRole('region', { name: 'Tools and callers' }).boundingBox())!;
    expect(Math.min(table.height, 700 - table.y)).toBeGreaterThan(350);
    expect(complaints).toEqual([]);
  });

  test('a console that may only read does not call as others', async () => {
    const reader = await ConsoleUnderTest.forTest([server], { access: ['read'], overview: { testUsers } });
    const { page } = await reader.show(browser());
    try {
      await page.getByRole('link', { name: 'hello' }).first().waitFor();
      expect(await page.getByRole('link', { name: 'Access', exact: true }).count()).toBe(0);
      const asked = reader.hub.ask('whoSees', { server: 'books', callers: [null] });
      await expect(asked).rejects.toThrow(/does not allow "whoSees"/);
    } finally {
      await page.context().close();
      await reader.close();
    }
  });
});
