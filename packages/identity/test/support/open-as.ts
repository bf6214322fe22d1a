import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** Opens a page of a server in a browser profile of its own, and signs in as a test user. */
export async function openAs(
  browser: Browser,
  { url, user, options }: { url: string; user: string; options: BrowserContextOptions },
): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(url);
  await page.locator(`button[value="${user}"]`).click();
  await page.waitForURL(url);
  return page;
}
