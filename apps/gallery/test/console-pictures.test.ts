import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { pictures, pictureScale, takePicture, widthOf } from '../../../.ci/test/support/pictures.js';
import { DevProcess } from '../../../packages/cli/test/support/dev-process.js';
import { compilerOptions, ProjectFolder } from '../../../packages/cli/test/support/project-folder.js';

const installed = {
  '@toolwright/core': 'packages/core',
  '@toolwright/http': 'packages/http',
  '@toolwright/identity': 'packages/identity',
  '@types/node': 'node_modules/@types/node',
  '@opentelemetry/api': 'apps/gallery/node_modules/@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http':
    'apps/gallery/node_modules/@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/sdk-trace-node': 'apps/gallery/node_modules/@opentelemetry/sdk-trace-node',
};

const viewport = { width: 1200, height: 780 };

/** A bookshop with users, traces and a mistake in its source, as a project of its own. */
class Bookshop extends ProjectFolder {
  constructor() {
    super();
    cpSync(join(__dirname, 'fixtures/bookshop'), this.folder, { recursive: true });
    this.write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { ...compilerOptions, sourceMap: true }, include: ['src'] }),
    );
    this.install(installed);
  }
}

describeInChromium('the console of a bookshop under dev', (browser: () => Browser) => {
  let shop: Bookshop;
  let dev: DevProcess;
  let page: Page;

  beforeAll(async () => {
    shop = new Bookshop();
    dev = new DevProcess(shop);
    await dev.url();
    page = await (await browser().newContext({ viewport, colorScheme: 'light', ...pictureScale })).newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(/^console: (\S+)$/m.exec(dev.printed)![1]!);
    await page.getByRole('link', { name: 'find_books' }).waitFor();
    await aMorning();
  });

  afterAll(async () => {
    await page?.context().close();
    await dev?.stop();
    shop?.remove();
  });

  const openPane = async (...place: string[]) => {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${place.join('/')}`)}`);
  };
  const callAs = async (person: string) => {
    await openPane('access');
    await page.getByRole('button', { name: `Call as ${person}` }).click();
  };
  const call = async (tool: string, args: object) => {
    await openPane('tools', 'tool', tool);
    await page.getByRole('heading', { level: 2, name: tool }).waitFor();
    await page.getByRole('button', { name: 'JSON' }).click();
    const editor = page.getByRole('textbox', { name: 'Arguments as JSON' });
    await editor.fill(JSON.stringify(args));
    await page.getByRole('button', { name: 'Call', exact: true }).click();
  };
  /** What people asked of the shop before, so that no picture is empty. */
  const aMorning = async () => {
    const ask = async (method: string, params: object) =>
      page.evaluate(
        async ({ method, params }) => {
          const headers = { 'content-type': 'application/json' };
          const body = JSON.stringify(params);
          return (await fetch(`api/${method}`, { method: 'POST', headers, body })).json() as Promise<unknown>;
        },
        { method, params },
      );
    const { testUsers, servers } = (await ask('overview', {})) as {
      testUsers: { subject: string }[];
      servers: { id: string }[];
    };
    const calls: [person: string, tool: string, args: object][] = [
      ['mira', 'read_sales', { from: '2026-03-01', to: '2026-03-31' }],
      ['lea', 'find_books', { words: 'Austen' }],
      ['lea', 'place_order', { isbn: '9780141439518', copies: 2, coupon: 'WINTER10' }],
      ['tom', 'get_order', { orderId: 'B-1041' }],
      ['lea', 'place_order', { isbn: '978', copies: 1 }],
      ['tom', 'read_sales', { from: '2026-03-01', to: '2026-03-31' }],
      ['mira', 'place_order', { isbn: '9780142437247', copies: 1, coupon: 'STUDENTS' }],
      ['lea', 'get_book', { isbn: '9780142437247' }],
      ['mira', 'export_sales', { month: '2026-03', format: 'datev' }],
    ];
    for (const [person, key, args] of calls) {
      const as = testUsers.find(({ subject }) => subject === person);
      await ask('startCall', { server: servers[0]!.id, kind: 'tool', key, arguments: args, as });
    }
    await openPane('calls');
    await page.getByRole('gridcell', { name: 'export_sales' }).waitFor();
    await page.getByRole('gridcell', { name: 'running' }).waitFor({ state: 'detached' });
  };
  /** Makes the open call wide, as a person does it with the arrow keys. */
  const widen = async () => {
    await page.getByRole('separator', { name: 'Width of the open call' }).focus();
    for (let times = 0; times < 3; times++) await page.keyboard.press('ArrowLeft');
  };
  const picture = async (name: string, target?: Locator) => {
    expect(await findBarriers(page)).toEqual([]);
    await takePicture(page, `console-${name}`, target);
  };

  test('says who sees which tool, and why', async () => {
    await openPane('access');
    await page.getByRole('link', { name: 'refund_order' }).waitFor();
    const people = await page.getByRole('button', { name: /^Call as / }).allInnerTexts();
    expect(people).toEqual(['anonymous', 'mira', 'tom', 'lea', 'every scope']);
    await picture('access');
  });

  test('shows a call as one time line, from the guards to the line of the source that threw', async () => {
    await callAs('mira');
    await call('place_order', { isbn: '9780140449266', copies: 2, coupon: 'SUMMER20' });
    await page.getByRole('link', { name: 'trace' }).click();
    await widen();
    const line = page.getByRole('list', { name: /^Time line of / });
    const texts = async () =>
      (await line.locator('.waterfall-name').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    await line.getByText('GET https://rates.parcels.example/v2/quote?to=CZ&grams=420').waitFor();
    const rows = await texts();
    expect(rows[0]).toBe('request tools/call place_order failed');
    expect(rows.slice(-4)).toEqual([
      'OrderTools.placeOrder failed',
      'query SELECT books',
      expect.stringMatching(/^(query SELECT customers|HTTP GET rates)/),
      expect.stringMatching(/^(query SELECT customers|HTTP GET rates)/),
    ]);
    const failure = page.getByRole('region', { name: 'What went wrong' });
    expect(await failure.innerText()).toMatch(/^TypeError: Cannot destructure[^]*src\/prices\.ts:\d+:\d+/);
    expect(await failure.locator('.failure-line').innerText()).toContain('const { percent } =');
    await page.setViewportSize({ width: 1120, height: 976 });
    await picture('trace');
    await picture('failure', line);
    await page.setViewportSize(viewport);
  });

  test('says in one sentence why a call was refused, and what to do', async () => {
    await callAs('tom');
    await call('place_order', { isbn: '9780141439518', copies: 1 });
    await page.getByRole('link', { name: 'trace' }).click();
    const refusal = page.getByRole('region', { name: 'Why it was refused' });
    expect(await refusal.innerText()).toMatch(
      /^tom may not use "place_order", because it needs the scope orders:write\.\s+What to do: Give tom/,
    );
    await picture('refusal');
  });

  test('makes one call on all five revisions, side by side', async () => {
    await call('get_book', { isbn: '9780141439556' });
    await page.getByRole('button', { name: 'On all revisions' }).click();
    const dialog = page.getByRole('dialog', { name: 'One call on all revisions' });
    await dialog.getByText('the same text').nth(1).waitFor();
    expect(await dialog.getByText('the same content').count()).toBe(2);
    await picture('revisions');
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  test('shows the tokens of the tools against the budget of lint', async () => {
    await openPane('contract');
    await page.getByRole('heading', { name: 'Tokens' }).waitFor();
    const map = page.getByRole('img', { name: /tools take about [\d,]+ tokens of a budget of 2,400/ });
    await map.waitFor();
    const headings = "[...document.querySelectorAll('h2')]";
    await page.evaluate(
      `${headings}.find(({ textContent }) => textContent === 'Tokens').parentElement.scrollIntoView()`,
    );
    await picture('tokens');
  });
});

test('a picture is small enough for a page that has several, and has two pixels for one', () => {
  const found = readdirSync(pictures).filter(
    (name) => name.endsWith('.webp') && !/^edit(-dark)?\./.test(name),
  );
  expect(found.length).toBeGreaterThan(18);
  expect(widthOf(readFileSync(join(pictures, 'console-access.webp')))).toBe(2 * viewport.width);
  const large = found.filter((name) => statSync(join(pictures, name)).size > 200_000);
  expect(large).toEqual([]);
});
