import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { takePicture } from '../../../.ci/test/support/pictures.js';
import { count, sampleOf } from '../../../.ci/test/support/proof.js';
import { writtenPages } from '../build/guides.js';
import { closedHalf, openHalf } from './asked-elsewhere.js';
import { type BuiltSearch, type BuiltSite, buildSite, readSearch } from './built-site.js';
import { questions } from './questions.js';

/** One page of each kind, and what others are like. */
const kinds: readonly (readonly [kind: string, path: string, like?: string])[] = [
  ['the home page', ''],
  ['a guide', 'getting-started'],
  ['a guide with wide tables', 'schemas'],
  ['the list of errors', 'errors'],
  ['an error', 'errors/TW_OPTION_INVALID', 'a guide'],
  ['the list of packages', 'reference/', 'the list of errors'],
  ['a list of names', 'reference/core/', 'the list of errors'],
  ['a function', 'reference/core/functions/McpTool'],
  ['a class', 'reference/core/classes/ToolContext', 'a function'],
  ['a README', 'packages/core', 'a guide'],
  ['a decision', 'adr/0003-manifest-at-build-time', 'a guide'],
  ['a source', 'source/packages/http/test/guarantees-test-ts'],
  ['the figures', 'benchmarks'],
  ['the changelog', 'changelog', 'a guide'],
  ['what is not found', 'no-such-page'],
];

/** What people wrote, in `pnpm proof`. All decisions look alike. */
const written = writtenPages()
  .filter(({ path }) => !/^adr\/\d/.test(path))
  .map(({ path }) => [path, path.replace(/\.md$/, '')] as const);
const visited = [
  ...sampleOf(kinds, ([, , like]) => like === undefined).map(([kind, path]) => [kind, path] as const),
  ...sampleOf(written, () => false),
];

/** The generator's search box has links inside of options, and names that differ from what is shown. */
const ofTheSearch = ['nested-interactive', 'label-content-name-mismatch'];

const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core, which the page has loaded, finds wrong: one line for each element. */
async function violationsOf(page: Page, without: string[] = []): Promise<string[]> {
  return page.evaluate(async (rules) => {
    const { violations } = await (globalThis as any).axe.run({
      resultTypes: ['violations'],
      rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: false }])),
    });
    return violations.flatMap(({ id, nodes }: any) =>
      nodes.map(({ target, failureSummary }: any) => `${id} ${target}: ${failureSummary}`),
    );
  }, without);
}

let site: BuiltSite;

// Building fails on a link or an anchor that leads nowhere. All pages take a minute where nothing else runs.
beforeAll(async () => {
  site = await buildSite();
}, 1_800_000);

afterAll(() => site?.remove());

describeInChromium('in Chromium', (browser) => {
  let page: Page;

  // One page for all visits. Colours do not fade over, so axe-core sees the final ones.
  beforeAll(async () => {
    page = await browser().newPage({ reducedMotion: 'reduce' });
  });

  afterAll(() => page?.close());

  /** Opens a page in light colours, and waits until its scripts have taken over. */
  async function visit(path: string): Promise<void> {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(site.url + path, { waitUntil: 'load' });
    await page.waitForFunction(`document.querySelector('#app').__vue_app__ !== undefined`);
    await page.waitForFunction(`!document.documentElement.classList.contains('dark')`);
  }

  /** What axe-core finds wrong in light and then in dark colours. */
  async function violationsInBothColours(without: string[] = []): Promise<Record<string, string[]>> {
    await page.evaluate(axe);
    const light = await violationsOf(page, without);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForFunction(`document.documentElement.classList.contains('dark')`);
    return { light, dark: await violationsOf(page, without) };
  }

  it.each(visited)('%s breaks no rule of axe-core, in light and dark colours', async (_kind, path) => {
    await visit(path);
    expect(await violationsInBothColours()).toEqual({ light: [], dark: [] });
    count('pages without barriers', 1);
  });

  it('the front page shows the command, a tool and a call of it before anybody scrolls', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await visit('');
    for (const part of ['Copy', 'A tool', 'A call of it']) {
      const { y } = (await page
        .getByRole(part === 'Copy' ? 'button' : 'region', { name: part, exact: true })
        .boundingBox())!;
      expect(y).toBeLessThan(500);
    }
    await page.setViewportSize({ width: 1200, height: 630 });
    await takePicture(page, 'preview');
  });

  it('the front page moves only when somebody asks for it', async () => {
    await visit('');
    const film = page.getByRole('region', { name: 'An edit' }).locator('img:visible');
    expect(await film.getAttribute('src')).toMatch(/\/edit-still\.webp$/);
    await page.getByRole('button', { name: /^Play it/ }).click();
    await page.waitForFunction(`document.querySelector('.landing-film img').naturalWidth > 0`);
    expect(await film.getAttribute('src')).toMatch(/\/edit\.webp$/);
  });

  it('an open search breaks no rule of axe-core, and puts the guide that answers first', async () => {
    await visit('');
    await page.keyboard.press('Control+k');
    await page.locator('#localsearch-input').fill('what is the rate limit');
    const first = page.locator('#localsearch-list a').first();
    await first.waitFor();
    expect(await first.getAttribute('href')).toContain('/middleware-and-policies');
    await page.locator('#localsearch-list .excerpt mark').first().waitFor();
    expect(await violationsInBothColours(ofTheSearch)).toEqual({ light: [], dark: [] });
  });
});

/** How rare a word is decides what comes first. For these questions that is so only among all pages. */
const ofAllPages = ['p99 is slow', 'upgrade to a new release'];

describe('the search', () => {
  let search: BuiltSearch;

  beforeAll(() => {
    search = readSearch(site.folder);
  });

  it('has at least 40 questions to answer', () => expect(questions.length).toBeGreaterThanOrEqual(40));

  it.each(sampleOf(questions, ([question]) => !ofAllPages.includes(question)))(
    '"%s" is answered by %s',
    (question, expected) => {
      const [first] = search.find(question);
      expect(first?.replace(/#.*$/, '')).toBe(expected);
    },
  );

  it.each([
    ['the open half', openHalf],
    ['the closed half', closedHalf],
  ])('answers what users of other frameworks ask: %s', (_name, half) => {
    const within = (places: number) =>
      half.filter(({ question, pages }) =>
        search
          .find(question)
          .slice(0, places)
          .some((id) => pages.includes(id.replace(/#.*$/, ''))),
      ).length / half.length;
    expect(within(1)).toBeGreaterThanOrEqual(0.85);
    expect(within(3)).toBeGreaterThanOrEqual(0.95);
  });

  it('finds no test, no decision, no picture and no changelog', () => {
    const found = ['test', 'decision', 'console', 'png', 'changelog'].flatMap((word) => search.find(word));
    expect(found.filter((id) => /^(source\/|adr\/|changelog|claims)/.test(id))).toEqual([]);
  });

  it('is loaded in less than 300 KB, compressed', () =>
    expect(search.compressedBytes).toBeLessThan(300 * 1024));
});

it('the page of the console has its pictures', () => {
  const guide = readFileSync(join(site.folder, 'console.html'), 'utf8');
  const pictures = [...guide.matchAll(/<img [^>]*src="([^"]+\.webp)"/g)].map(([, src]) => src!);
  expect(pictures.length).toBeGreaterThanOrEqual(4);
  for (const src of pictures) expect(existsSync(join(site.folder, src))).toBe(true);
});

it('names in guides lead to their pages of the reference', () => {
  const guide = readFileSync(join(site.folder, 'decorators.html'), 'utf8');
  expect(guide).toMatch(/<a href="\/reference\/core\/functions\/McpTool"[^>]*><code>@McpTool/);
});

it('the front page is where hosts of static sites look for it', () => {
  expect(readFileSync(join(site.folder, 'index.html'), 'utf8')).toContain('Toolwright');
});
