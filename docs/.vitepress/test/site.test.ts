import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { type BuiltSite, buildSite } from './built-site.js';

// The build takes a minute where nothing else runs.
jest.setTimeout(600_000);

/** One page of each kind. */
const kinds = {
  'the home page': '',
  'a guide': 'getting-started.html',
  'a guide with wide tables': 'schemas.html',
  'the list of errors': 'errors.html',
  'an error': 'errors/TW_OPTION_INVALID.html',
  'the list of packages': 'reference/',
  'a list of names': 'reference/core/',
  'a function': 'reference/core/functions/McpTool.html',
  'a class': 'reference/core/classes/ToolContext.html',
  'a README': 'packages/core.html',
  'a decision': 'adr/0003-manifest-at-build-time.html',
  'a source': 'source/packages/http/test/guarantees-test-ts.html',
  'the figures': 'benchmarks.html',
  'the changelog': 'changelog.html',
  'what is not found': 'no-such-page.html',
};

/** The generator's search box has links inside of options, and names that differ from what is shown. */
const ofTheSearch = ['nested-interactive', 'label-content-name-mismatch'];

const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong, one line for each element. */
async function violationsOf(page: Page, without: string[] = []): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async (rules) => {
    const { violations } = await (globalThis as any).axe.run({
      rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: false }])),
    });
    return violations.flatMap(({ id, nodes }: any) =>
      nodes.map(({ target, failureSummary }: any) => `${id} ${target}: ${failureSummary}`),
    );
  }, without);
}

let site: BuiltSite;

// Building fails on a link or an anchor that leads nowhere.
beforeAll(async () => {
  site = await buildSite();
});

afterAll(() => site?.remove());

describeInChromium('in Chromium', (browser) => {
  async function visit<T>(
    colorScheme: 'light' | 'dark',
    path: string,
    look: (page: Page) => Promise<T>,
  ): Promise<T> {
    const context = await browser().newContext({ colorScheme });
    try {
      const page = await context.newPage();
      await page.goto(site.url + path, { waitUntil: 'networkidle' });
      return await look(page);
    } finally {
      await context.close();
    }
  }

  describe.each(['light', 'dark'] as const)('in %s colours', (scheme) => {
    it.each(Object.entries(kinds))('%s breaks no rule of axe-core', async (_kind, path) => {
      expect(await visit(scheme, path, (page) => violationsOf(page))).toEqual([]);
    });

    it('an open search breaks no rule of axe-core, and finds a guide', async () => {
      const found = await visit(scheme, '', async (page) => {
        await page.keyboard.press('Control+k');
        await page.locator('#localsearch-input').fill('rate limit');
        await page.locator('#localsearch-list .result').first().waitFor();
        const hrefs = await page
          .locator('#localsearch-list a')
          .evaluateAll((links) => links.map((link: any) => link.getAttribute('href')));
        return { violations: await violationsOf(page, ofTheSearch), hrefs };
      });
      expect(found.violations).toEqual([]);
      expect(found.hrefs.join(' ')).toContain('/middleware-and-policies.html');
    });
  });
});

it('the front page is where hosts of static sites look for it', () => {
  expect(readFileSync(join(site.folder, 'index.html'), 'utf8')).toContain('Toolwright');
});
