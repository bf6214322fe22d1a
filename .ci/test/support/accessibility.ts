import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds wrong on a page, one line a finding. An empty list is what every page must have.
 *
 * @param part a CSS selector; the rest of the page is left out. Default: all of it
 */
export async function findBarriers(page: Page, part = 'html'): Promise<string[]> {
  // Evaluated and not added as a script: the page's content security policy forbids that, rightly.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axe);
  return page.evaluate<string[]>(`axe
    .run(${JSON.stringify(part)}, { resultTypes: ['violations'] })
    .then(({ violations }) =>
      violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ html, failureSummary }) => id + ': ' + help + ': ' + html + ': ' + failureSummary)))`);
}
