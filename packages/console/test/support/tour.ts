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
  const navigation = page.getByRole('navigation', { name: 'Panes' });
  const links = await navigation.getByRole('listitem').getByRole('link').all();
  const titles: string[] = [];
  for (const link of links) {
    const title = (await link.innerText()).split('\n')[0]!;
    await link.click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor({ state: 'attached' });
    await page.getByText('Loading…').waitFor({ state: 'detached' });
    expect({ title, barriers: await findBarriers(page) }).toEqual({ title, barriers: [] });
    await seen(title);
    titles.push(title);
  }
  return titles;
}
