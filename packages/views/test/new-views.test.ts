import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import type { Frame, Page } from 'playwright-core';
import { silentLogger } from '@toolwright/core/ports';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { EmulatedHost } from '../src/hosts/emulated-host.js';
import { examine } from '../src/hosts/examine-view.js';
import { hostProfiles } from '../src/hosts/host-profiles.js';
import { type ViewClient, readViews } from '../src/hosts/read-views.js';
import type { ViewServer, ViewUnderTest } from '../src/hosts/view-under-test.js';
import { type NewView, viewFiles } from '../src/scaffold/view-files.js';
import { ViewProject } from './support/view-project.js';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const libraries = ['preact', 'react', 'plain'] as const;
type Library = (typeof libraries)[number];
const verbs: Record<NewView, string> = { table: 'list', chart: 'plot', form: 'book', record: 'show' };
const kinds = Object.keys(verbs) as NewView[];

// The twelve views are written into one project, built once, and shown in one tab.
const project = new ViewProject();
const services = libraries.flatMap((as) =>
  kinds.map((kind) => {
    const { className, files, module } = viewFiles(kind, { name: `${verbs[kind]}_${as}`, as });
    for (const [file, text] of files) project.write(`src/${file}`, text);
    return { className, module };
  }),
);
project.write('src/climate-tools.ts', 'export {};\n');

const load = (module: string): Record<string, new () => object> =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- as an application would
  require(project.path(`dist/${module}.js`));

let pages: Record<string, string>;
beforeAll(() => {
  expect(project.compile()).toMatchObject({ status: 0, stdout: '' });
  expect(project.buildViews()).toMatchObject({ status: 0, stderr: '' });
  pages = JSON.parse(project.read('mcp.views.json')) as Record<string, string>;
});
afterAll(() => project.remove());

test.each(libraries)('each view of %s has its weight, compressed', (as) => {
  const most = as === 'react' ? 130 : 80;
  for (const kind of kinds) {
    const size = gzipSync(pages[`${verbs[kind]}-${as}`]!).length;
    expect(size).toBeGreaterThan(4 * 1024);
    expect(size).toBeLessThan(most * 1024);
  }
});

test('no view reaches the network', () => {
  const { extensions } = JSON.parse(project.read('mcp.manifest.json'));
  for (const [view] of Object.values<{ csp?: unknown }[]>(extensions['@toolwright/views']))
    expect(view!.csp).toBeUndefined();
});

describeInChromium('the new views', (browser) => {
  let server: McpServer;
  let client: ViewClient;
  let views: Map<string, ViewUnderTest>;
  let tab: Page;
  let host: EmulatedHost;

  beforeAll(async () => {
    server = await createMcpServer({
      name: 'views',
      version: '1.0.0',
      services: services.map(({ className, module }) => load(module)[className]!),
      logger: silentLogger,
    });
    const ui = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
    client = await connect(server, { capabilities: { extensions: ui } });
    const { views: found, untried } = await readViews(client, await client.tools(), { given: {} });
    expect(untried).toEqual([]);
    views = new Map(found.map((view) => [view.tool.name, view]));
    tab = await browser().newPage();
    tab.setDefaultTimeout(10_000);
    host = await EmulatedHost.on(tab);
  });
  afterAll(async () => {
    await tab?.close();
    await server?.close(0);
  });

  /** Every tool of the server, as a host with a person in front of it calls them. */
  const calls: { name: string; args: Readonly<Record<string, unknown>> }[] = [];
  let isAway = false;
  const everything: ViewServer = {
    async callTool(name, args) {
      calls.push({ name, args });
      if (isAway) throw new Error('The server is away.');
      return client.request('tools/call', { name, arguments: args });
    },
    readResource: (uri) => client.request('resources/read', { uri }),
  };

  const profileOf = (id: string) => hostProfiles.find((profile) => profile.id === id)!;
  async function open(kind: NewView, as: Library): Promise<Frame> {
    calls.length = 0;
    const view = views.get(`${verbs[kind]}_${as}`)!;
    const profile = profileOf('basic-host');
    const shown = await host.show({ profile, view, server: everything, theme: 'light', width: 640 });
    await shown.session.initialized;
    await shown.frame.getByRole('heading').waitFor();
    expect(shown.faults).toEqual([]);
    return shown.frame;
  }

  const focused = (frame: Frame) =>
    frame.evaluate<string>(
      `(({ textContent, id, tagName }) => tagName === 'BODY' ? '' : id || textContent.trim())(document.activeElement)`,
    );
  /** Presses the key of a keyboard until what is named has the focus. */
  async function tabTo(frame: Frame, wanted: string, key = 'Tab') {
    for (let count = 0; count < 30; count++) {
      if ((await focused(frame)) === wanted) return;
      await tab.keyboard.press(key);
    }
    throw new Error(`${wanted} never got the focus.`);
  }

  test.each(libraries)(
    'in %s, what is usual and what takes away look different, and so do lines',
    async (as) => {
      const record = await open('record', as);
      const looks = await record
        .locator('.actions button')
        .evaluateAll((buttons) =>
          buttons.map((button) => (globalThis as any).getComputedStyle(button).backgroundColor as string),
        );
      expect(new Set(looks).size).toBe(2);
      const chart = await open('chart', as);
      // Where a sample has ink, whatever its colour.
      const inks = await chart.locator('.u-legend canvas').evaluateAll((samples: any[]) =>
        samples.map((sample) => {
          const { data } = sample.getContext('2d').getImageData(0, 12, 80, 1);
          return [...data]
            .filter((_, at) => at % 4 === 3)
            .map((alpha) => (alpha > 127 ? '-' : ' '))
            .join('');
        }),
      );
      expect(inks.length).toBeGreaterThan(1);
      expect(new Set(inks).size).toBe(inks.length);
    },
  );

  test.each(kinds.map((kind, index) => [kind, hostProfiles[index]!] as const))(
    'a %s has no problem at three widths, light and dark',
    async (kind, profile) => {
      // The libraries draw the same, so one of them is looked at in both themes.
      const themes = { preact: ['light', 'dark'], react: ['light'], plain: ['dark'] } as const;
      for (const as of libraries)
        for (const theme of themes[as]) {
          const view = views.get(`${verbs[kind]}_${as}`)!;
          const options = { view, server: everything, axe, patienceMs: 60_000, budget: 300 * 1024 };
          expect([as, theme, (await examine(host, profile, theme, options)).problems]).toEqual([
            as,
            theme,
            [],
          ]);
        }
    },
  );

  test.each(libraries)('all columns of a table of %s are in sight in the narrowest host', async (as) => {
    const view = views.get(`${verbs.table}_${as}`)!;
    const profile = profileOf('vscode');
    const width = Math.min(...profile.widths);
    const shown = await host.show({ profile, view, server: everything, theme: 'light', width });
    await shown.frame.getByRole('cell').first().waitFor();
    const [inside, outside] = await shown.frame.evaluate<number[]>(
      `(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('.scroll'))`,
    );
    expect(inside).toBeLessThanOrEqual(outside!);
  });

  test.each(libraries)('a table of %s sorts and turns pages with the keyboard', async (as) => {
    const frame = await open('table', as);
    const status = frame.getByRole('status');
    const firstRow = () => frame.locator('tbody tr').first().textContent();
    const waitFor = (text: string) => status.filter({ hasText: text }).waitFor();
    const header = (name: string) => frame.getByRole('columnheader', { name });

    await waitFor('1 to 10 of 42, by placed, descending.');
    expect(await header('Placed').getAttribute('aria-sort')).toBe('descending');
    await tabTo(frame, 'Total');
    await tab.keyboard.press('Enter');
    await waitFor('1 to 10 of 42, by total, ascending.');
    expect(await header('Total').getAttribute('aria-sort')).toBe('ascending');
    expect(await header('Placed').getAttribute('aria-sort')).toBe('none');
    const cheapest = await firstRow();
    await tab.keyboard.press('Space');
    await waitFor('by total, descending.');
    expect(await firstRow()).not.toBe(cheapest);

    await tabTo(frame, 'Next');
    await tab.keyboard.press('Enter');
    await waitFor('11 to 20 of 42');
    await tab.keyboard.press('Enter');
    await waitFor('21 to 30 of 42');
    expect(calls.at(-1)!.args).toMatchObject({
      sort: 'total',
      direction: 'descending',
      cursor: expect.any(String),
    });
    await tabTo(frame, 'Previous', 'Shift+Tab');
    await tab.keyboard.press('Enter');
    await waitFor('11 to 20 of 42');
    await tab.keyboard.press('Enter');
    await waitFor('1 to 10 of 42');
    // Before the first page there is nothing, and the button keeps the focus.
    const made = calls.length;
    await tab.keyboard.press('Enter');
    expect([await focused(frame), calls.length]).toEqual(['Previous', made]);
    expect(await frame.getByRole('button', { name: 'Previous' }).getAttribute('aria-disabled')).toBe('true');

    isAway = true;
    await frame.getByRole('button', { name: 'Next' }).click();
    await frame.getByRole('alert').filter({ hasText: 'The server is away.' }).waitFor();
    isAway = false;
    await frame.getByRole('button', { name: 'Try again' }).click();
    await waitFor('11 to 20 of 42');
    expect(await frame.getByRole('alert').filter({ visible: true }).count()).toBe(0);
  });

  test.each(libraries)('a chart of %s is drawn, and its figures are a table', async (as) => {
    const frame = await open('chart', as);
    const picture = frame.getByRole('img');
    expect(await picture.getAttribute('aria-label')).toMatch(
      /^Chart, Jan to Dec: 2026 from [\d,]+ to [\d,]+ EUR; 2025/,
    );
    const colours = await frame.evaluate<number>(`(() => {
      const canvas = document.querySelector('canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    })()`);
    expect(colours).toBeGreaterThan(10);
    await tabTo(frame, 'Show the figures');
    await tab.keyboard.press('Enter');
    await frame.getByRole('rowheader', { name: 'Dec' }).waitFor();
    expect(await frame.locator('details td').filter({ visible: true }).count()).toBeGreaterThanOrEqual(24);
    expect(calls).toEqual([]);
  });

  test.each(libraries)('a form of %s says what is wrong, and sends what was typed in', async (as) => {
    const frame = await open('form', as);
    const send = frame.getByRole('button', { name: 'Book' });
    await tabTo(frame, 'Book');
    await tab.keyboard.press('Enter');
    // The first field that is wrong has the focus, and every such field says why.
    expect(await focused(frame)).toBe('name');
    const wrong = () =>
      frame.locator('[aria-invalid=true]').evaluateAll((all) => all.map((each: any) => each.id));
    expect(await wrong()).toEqual(['name', 'email', 'day', 'tour']);
    expect(await frame.locator('#name-problem').textContent()).toMatch(/\w/);
    expect(await frame.locator('#name').getAttribute('aria-describedby')).toContain('name-problem');
    expect(calls).toEqual([]);

    await tab.keyboard.type('Ada Lovelace');
    await frame.getByLabel('E-mail').fill('ada@');
    await frame.getByLabel('Day').fill('2026-12-07');
    await frame.getByLabel('Guests').fill('3');
    await frame.getByLabel('Tour').selectOption('short');
    expect(await wrong()).toEqual(['email']);
    await frame.getByLabel('E-mail').fill('ada@example.com');
    await tab.keyboard.press('Enter');
    // The 7th is a Monday, which only the server knows.
    await frame.locator('[role=alert]:focus').filter({ hasText: 'closed on Mondays' }).waitFor();
    await frame.getByLabel('Day').fill('2026-12-08');
    await send.click();
    await frame
      .locator('[role=status]:focus')
      .filter({ hasText: /Booked for 3 on 2026-12-08\. The reference is V-1001/ })
      .waitFor();
    expect(calls.map(({ name }) => name)).toEqual([`submit_${as}`, `submit_${as}`]);
    expect(calls[1]!.args).toEqual({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      day: '2026-12-08',
      guests: 3,
      tour: 'short',
    });
  });

  test.each(libraries)('a record of %s asks the question of the server before it cancels', async (as) => {
    const frame = await open('record', as);
    const state = () => frame.locator('dd').nth(1).textContent();
    expect(await state()).toBe('open');
    await tabTo(frame, 'Cancel the order');
    await tab.keyboard.press('Enter');
    const dialog = frame.getByRole('dialog');
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain(
      'Cancel the order A-1001 of Ada over 128.5 EUR? This cannot be undone.',
    );
    await tab.keyboard.press('Escape');
    await frame.getByRole('alert').filter({ hasText: 'it was not confirmed' }).waitFor();
    expect([await state(), await focused(frame)]).toEqual(['open', 'Cancel the order']);

    await tab.keyboard.press('Enter');
    await dialog.waitFor();
    await tabTo(frame, 'Yes: Cancel the order');
    await tab.keyboard.press('Enter');
    await frame.locator('[role=status]:focus').filter({ hasText: 'Done: Cancel the order.' }).waitFor();
    expect(await state()).toBe('cancelled');
    expect(await frame.getByRole('button').filter({ visible: true }).count()).toBe(0);
    expect(calls.map(({ args }) => args['confirmed'])).toEqual([undefined, undefined, true]);
  });
});
