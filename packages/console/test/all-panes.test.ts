import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@toolwright/client';
import type { McpServer } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { sampleOf } from '../../../.ci/test/support/proof.js';
import { ConsoleUnderTest, openPage } from './support/console-under-test.js';
import { evaluation } from './support/evaluation.js';
import { exampleServer } from './support/example-server.js';
import { tour } from './support/tour.js';

const source = readFileSync(join(__dirname, '../web/src/shell/panes.tsx'), 'utf8');
const every = [...source.matchAll(/^ {4}title: '([^']+)'/gm)].map(([, title]) => title!);

const sizes = [
  ['a phone', { width: 360, height: 700 }],
  // Browsers zoom by giving the page fewer pixels of its own: this is a window of 1280 by 800 pixels.
  ['200 % zoom', { width: 640, height: 400 }],
  ['a tablet', { width: 768, height: 1024 }],
  ['a laptop', { width: 1280, height: 800 }],
  ['a large screen', { width: 1920, height: 1080 }],
] as const;

const screens = sizes.flatMap(([name, viewport]) =>
  (['light', 'dark'] as const).map((scheme) => [name, scheme, viewport] as const),
);
/** The ends once each; `pnpm proof` tries all. */
const chosen = ['a phone, light', '200 % zoom, dark', 'a large screen, dark'];

/** Words of a pane that are broken so often that a line has fewer than eight letters. */
const brokenWords = `[...document.querySelectorAll('main *')].flatMap((element) =>
  [...element.childNodes].filter(({ nodeType }) => nodeType === 3).flatMap((node) =>
    [...node.data.matchAll(/[^\\s]{8,}/g)].flatMap(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      return lines > Math.ceil(word.length / 8) ? [word + ' in ' + lines + ' lines'] : [];
    })))`;

/** Whether what is said of a chosen element has the colours of a selection, all of it. */
const isSelected = (selector: string) =>
  `(() => { const chosen = document.querySelector(${JSON.stringify(selector)});
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.cssText = 'forced-color-adjust: none; color: HighlightText; background: Highlight';
    const wanted = [getComputedStyle(probe).color, getComputedStyle(probe).backgroundColor];
    const found = [chosen, ...chosen.querySelectorAll('*')].map((each) => getComputedStyle(each).color);
    const ground = getComputedStyle(chosen).backgroundColor;
    probe.remove();
    return ground === wanted[1] && found.every((each) => each === wanted[0]); })()`;

/** The ground of the first element that fits, or undefined. */
const groundOf = (selector: string) =>
  `(() => { const found = document.querySelector(${JSON.stringify(selector)});
    return found && getComputedStyle(found).backgroundColor; })()`;

describeInChromium('every pane of the console', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;

  beforeAll(async () => {
    server = await exampleServer();
    console = await ConsoleUnderTest.start([server], {
      access: ['read', 'call', 'change', 'project'],
      project: {
        contract: () => ({
          problems: [{ severity: 'error', code: 'TW_TYPE', message: 'No schema.', location: 'src/a.ts:3:4' }],
          lintProblems: [{ severity: 'warning', code: 'verb-first', message: 'No verb.', tool: 'greet' }],
          tokens: { total: 1_300, budget: 1_000, tools: [{ name: 'echo_all', tokens: 1_300 }] },
          changes: [{ tool: 'prompt greet', kind: 'breaking', message: 'the prompt was removed' }],
          lockFile: 'mcp.lock.json',
        }),
        origins: () => [],
        evaluations: () => [evaluation],
        failure: () => null,
        openSource: () => ({}),
        signIn: () => null,
        startSignIn: ({ url }) => ({ url }),
      },
    });
    const client = await connect(server);
    await client.call('list_rows', {});
    await client.call('close_books', {}).catch(() => undefined);
    await client.close();
  });

  afterAll(async () => {
    await console.close();
    await server.close(0);
  });

  test.each(sampleOf(screens, ([name, scheme]) => chosen.includes(`${name}, ${scheme}`)))(
    'has no barriers and is no wider than the screen: %s, %s',
    async (_name, colorScheme, viewport) => {
      const { page, complaints } = await openPage(browser(), console.url, { viewport, colorScheme });
      const wide: string[] = [];
      const broken: string[] = [];
      const titles = await tour(page, async (title) => {
        broken.push(...(await page.evaluate<string[]>(brokenWords)).map((word) => `${title}: ${word}`));
        if ((await page.evaluate('document.documentElement.scrollWidth')) !== viewport.width)
          wide.push(title);
      });
      expect(titles.sort()).toEqual([...every].sort());
      expect({ wide, broken }).toEqual({ wide: [], broken: [] });
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );

  test('the navigation has four groups, the rest under More, and digits only while Alt is held', async () => {
    const { page, complaints } = await openPage(browser(), console.url);
    const navigation = page.getByRole('navigation', { name: 'Panes' });
    await navigation.getByText('More').waitFor();
    const titles = () => navigation.getByRole('link').allInnerTexts();
    expect(await navigation.locator('section > p').allInnerTexts()).toEqual([
      'Use',
      'Watch',
      'Check',
      'Parts',
    ]);
    expect((await titles()).slice(0, 3)).toEqual(['Toolwright', 'Tools', 'Add to host']);
    expect(await titles()).not.toContain('Mounts');
    await navigation.getByText('More').click();
    await navigation.getByRole('link', { name: 'Mounts' }).click();
    await page.getByRole('heading', { name: 'This server mounts no other server' }).waitFor();
    expect(await navigation.locator('kbd').count()).toBe(0);
    await page.keyboard.down('Alt');
    expect(await navigation.locator('kbd').allInnerTexts()).toEqual([...'123456789']);
    await page.keyboard.up('Alt');
    expect(await navigation.locator('kbd').count()).toBe(0);
    await page.keyboard.press('2');
    await page.getByRole('heading', { level: 1, name: 'Add to host' }).waitFor({ state: 'attached' });
    await page.setViewportSize({ width: 360, height: 700 });
    const choice = page.getByRole('combobox', { name: 'Pane' });
    expect(await choice.locator('option:checked').innerText()).toBe('Add to host');
    await choice.selectOption({ label: 'Traffic' });
    await page.getByRole('heading', { level: 1, name: 'Traffic' }).waitFor({ state: 'attached' });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('forced colours show what is current, chosen and pressed, and lines spare underscores', async () => {
    const { page } = await openPage(browser(), console.url, { forcedColors: 'active' });
    await page.getByRole('tab', { name: 'Schema' }).waitFor();
    const differ = async (one: string, other: string) => {
      const grounds = [await page.evaluate(groundOf(one)), await page.evaluate(groundOf(other))];
      expect({ one, differs: grounds[0] !== grounds[1] && !grounds.includes(null) }).toEqual({
        one,
        differs: true,
      });
      expect({ one, isSelected: await page.evaluate(isSelected(one)) }).toEqual({ one, isSelected: true });
    };
    await differ('nav li a[aria-current]', 'nav li a:not([aria-current])');
    await differ('.choice[aria-current]', '.choice:not([aria-current])');
    await differ('[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]');
    await differ('.chip[aria-pressed=true]', '.chip[aria-pressed=false]');
    await page.keyboard.press('Control+k');
    await page.locator('[cmdk-item]').first().waitFor();
    await differ('[cmdk-item][data-selected=true]', '[cmdk-item][data-selected=false]');
    await page.keyboard.press('Escape');
    const spare = await page.evaluate<number>(`(() => {
      const style = getComputedStyle(document.querySelector('a'));
      const pen = document.createElement('canvas').getContext('2d');
      pen.font = style.fontSize + ' ' + style.fontFamily;
      return parseFloat(style.textUnderlineOffset) - pen.measureText('_').actualBoundingBoxDescent;
    })()`);
    expect(spare).toBeGreaterThan(0);
    await page.context().close();
  });
});
