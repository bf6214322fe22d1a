import type { McpServer } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { ConsoleUnderTest, type OpenPage } from './support/console-under-test.js';
import { goTo } from './support/records.js';
import { shopServer } from './support/shop-server.js';

describeInChromium('the pane of the search', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;
  const show = async (options: object, dark = false) => {
    server = await shopServer(options);
    console = await ConsoleUnderTest.forTest([server]);
    opened = await console.show(browser(), { colorScheme: dark ? 'dark' : 'light' });
    await goTo(opened.page, 'search');
    return opened.page;
  };
  const search = async (query: string) => {
    await opened.page.getByLabel('Query of an anonymous caller').fill(query);
    await opened.page.getByRole('button', { name: 'Search', exact: true }).click();
  };

  test.each([[false], [true]])('shows what a query finds, and by which words (dark: %s)', async (dark) => {
    const page = await show({ toolSearch: true }, dark);
    await search('fetch order quickly');
    await page.getByRole('rowheader', { name: /get_order/ }).waitFor();
    expect(await page.getByText('found, best first').innerText()).toBe(
      '1 found, best first. Words that find none of them: quickly.',
    );
    expect(await page.locator('.search-words li').allInnerTexts()).toEqual([
      'fetch as get in name, summary',
      'order in name, category, summary',
    ]);
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 700 });
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(opened.complaints).toEqual([]);
  });

  test('a server that does not search says what to install', async () => {
    const page = await show({});
    await search('order');
    await page.getByText('This server does not search').waitFor();
  });
});
