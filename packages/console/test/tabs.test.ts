import type { McpServer } from '@toolwright/core';
import type { Browser, Page } from 'playwright-core';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { ConsoleUnderTest } from './support/console-under-test.js';
import { smallServer } from './support/small-server.js';
import { rowTexts } from './support/records.js';

describeInChromium('the console in more than one tab', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let pages: Page[] = [];
  let streams: string[] = [];
  /** The requests for all messages, which are the largest answer that a page asks for. */
  let loads: string[] = [];

  beforeEach(async () => {
    server = await smallServer();
    console = await ConsoleUnderTest.start([server]);
    streams = [];
    loads = [];
  });

  afterEach(async () => {
    await pages[0]?.context().close();
    pages = [];
    await console.close();
    await server.close();
  });

  const open = async (count: number) => {
    const context = await browser().newContext();
    context.on('request', (request) => {
      if (request.url().endsWith('/api/events')) streams.push(request.url());
      if (request.url().endsWith('/api/messages')) loads.push(request.url());
    });
    const first = await context.newPage();
    await first.goto(console.url);
    pages = [first];
    for (let tab = 1; tab < count; tab++) {
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(first.url());
      pages.push(page);
    }
  };

  const call = (page: Page, word: string) =>
    page.evaluate(`fetch('api/startCall', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"server":"small","kind":"tool","key":"who_am_i","arguments":{"word":"${word}"}}',
    }).then(() => undefined)`);

  const look = (page: Page, state: string) =>
    page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
      document.dispatchEvent(new Event('visibilitychange'))`);

  const seesCalls = async (page: Page, count: number) => {
    await page.evaluate('location.hash = "#/calls"');
    await page
      .locator('.records-body [role=row]')
      .nth(count - 1)
      .waitFor();
    expect(await rowTexts(page)).toHaveLength(count);
  };

  test('the sixth and the tenth tab render, and all tabs share one stream of events', async () => {
    await open(10);
    for (const page of pages) await page.getByRole('link', { name: 'who_am_i' }).waitFor();
    expect(streams).toHaveLength(1);
    await call(pages[9]!, 'one');
    for (const page of [pages[0]!, pages[5]!, pages[9]!]) await seesCalls(page, 1);
  });

  test('a tab that opens, and one that is seen again, asks once for what was recorded', async () => {
    await open(1);
    const [page] = pages;
    await page!.getByRole('link', { name: 'who_am_i' }).waitFor();
    await call(page!, 'one');
    await seesCalls(page!, 1);
    expect(loads).toHaveLength(1);
    await look(page!, 'hidden');
    await call(page!, 'two');
    await look(page!, 'visible');
    await seesCalls(page!, 2);
    await call(page!, 'three');
    await seesCalls(page!, 3);
    expect(loads).toHaveLength(2);
    const other = await page!.context().newPage();
    pages.push(other);
    await other.goto(page!.url());
    await seesCalls(other, 3);
    expect(loads).toHaveLength(3);
    expect(streams).toHaveLength(2);
  });

  test('another tab takes over when the tab that has the stream is closed', async () => {
    await open(3);
    for (const page of pages) await page.getByRole('link', { name: 'who_am_i' }).waitFor();
    await pages.shift()!.close();
    await call(pages[0]!, 'one');
    for (const page of pages) await seesCalls(page, 1);
    expect(streams).toHaveLength(2);
  });

  test('a hidden tab closes its stream, and knows everything when it is seen again', async () => {
    await open(1);
    const [page] = pages;
    await page!.getByRole('link', { name: 'who_am_i' }).waitFor();
    const closed = page!
      .context()
      .waitForEvent('requestfailed', (request) => request.url().endsWith('/api/events'));
    await look(page!, 'hidden');
    await closed;
    await call(page!, 'one');
    await look(page!, 'visible');
    await seesCalls(page!, 1);
    await call(page!, 'two');
    await seesCalls(page!, 2);
  });
});
