import type { Page } from 'playwright-core';
import { findBarriers } from '../../../../.ci/test/support/accessibility.js';

/**
 * Opens every pane of a console, one after the other, and expects of each that it is there and has no barriers.
 *
 * @param seen is called with the title of each pane, while it is open
 * @returns the titles
 */
export async function tour(
  page: Page,
  seen: (title: string) => Promise<void> = async () => {},
): Promise<string[]> {
  // On a narrow screen the links are a list to choose from.
  const links = page.locator('nav[aria-label=Panes] li a');
  await links.first().waitFor({ state: 'attached' });
  const places = await page.evaluate<[string, string][]>(`
    [...document.querySelectorAll('nav[aria-label=Panes] li a')].map((link) =>
      [link.getAttribute('href'), link.querySelector('span').textContent])`);
  const titles: string[] = [];
  for (const [hash, title] of places) {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor({ state: 'attached' });
    await page.getByText('Loading…').waitFor({ state: 'detached' });
    expect({ title, barriers: await findBarriers(page) }).toEqual({ title, barriers: [] });
    await seen(title);
    titles.push(title);
  }
  return titles;
}
