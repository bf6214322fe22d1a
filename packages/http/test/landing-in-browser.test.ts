import { createMcpServer } from '@toolwright/core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { silentLogger } from '@toolwright/core/ports';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { serveHttp, type HttpService, type ServeHttpOptions } from '../src/index.js';

const hostile = `"><script>document.title = 'taken'</script><img src=x onerror="document.title = 'taken'">`;
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let service: HttpService;
afterEach(() => service.close());

async function serve(options: Partial<ServeHttpOptions> = {}) {
  const server = await createMcpServer({
    name: 'notes',
    version: '1.0.0',
    logger: silentLogger,
    about: {
      title: `Team notes ${hostile}`,
      description: `Keeps notes. ${hostile}`,
      icons: [{ src: PIXEL }],
      websiteUrl: 'https://example.com/',
    },
  });
  service = await serveHttp(server, { port: 0, signals: false, ...options });
}

/** Opens the page, and fails for anything that the browser complains about. */
async function open(
  browser: Browser,
  context: BrowserContextOptions,
): Promise<{ page: Page; failures: string[] }> {
  const page = await (await browser.newContext(context)).newPage();
  const failures: string[] = [];
  page.on('pageerror', ({ message }) => failures.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') failures.push(message.text());
  });
  await page.goto(service.url);
  return { page, failures };
}

describeInChromium('the landing page in a browser', (browser) => {
  test.each(['light', 'dark'] as const)(
    'is readable for everyone (%s), and runs nothing of others',
    async (scheme) => {
      await serve();
      const { page, failures } = await open(browser(), { colorScheme: scheme });
      // What is folded is looked at, too.
      for (const details of await page.locator('summary').all()) await details.click();
      expect(await findBarriers(page)).toEqual([]);
      expect(failures).toEqual([]);
      expect(await page.title()).toBe(`Team notes ${hostile}`);
      expect(await page.locator('script').count()).toBe(0);
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(background).toBe(scheme === 'dark' ? 'rgb(20, 23, 27)' : 'rgb(255, 255, 255)');
      await page.context().close();
    },
  );

  test('fits a narrow screen', async () => {
    await serve();
    const { page } = await open(browser(), { viewport: { width: 320, height: 600 } });
    for (const details of await page.locator('summary').all()) await details.click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.context().close();
  });

  test('is shown to people who must sign in', async () => {
    await serve({
      authenticate: () => ({
        challenge: { status: 401, headers: { 'WWW-Authenticate': 'Bearer' }, message: 'no' },
      }),
    });
    const page = await (await browser().newContext()).newPage();
    const response = await page.goto(service.url);
    expect(response!.status()).toBe(401);
    expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(1);
    expect(await findBarriers(page)).toEqual([]);
    await page.context().close();
  });
});
