import type { Page } from 'playwright-core';

/** Goes to a place of the console, as a link does. */
export async function goTo(page: Page, ...place: string[]): Promise<void> {
  const hash = `#/${place.map(encodeURIComponent).join('/')}`;
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

/** The rows that a table of records draws, from top to bottom. */
export function rowTexts(page: Page): Promise<string[]> {
  return page.locator('.records-body [role=row]').allInnerTexts();
}
