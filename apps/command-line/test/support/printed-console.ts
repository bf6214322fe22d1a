import type { Browser, Page } from 'playwright-core';
import type { StartedApp } from './newcomer.js';

/** Opens the address that `dev` prints, as a person does who clicks on it. */
export async function openConsole(browser: Browser, app: StartedApp): Promise<Page> {
  const [, address] = /^console: (http\S+)$/m.exec(app.printed())!;
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(address!);
  return page;
}

/** Calls the open tool. Gives what it returned. */
export async function callTool(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  return page.getByRole('group', { name: 'Structured content' }).innerText();
}
