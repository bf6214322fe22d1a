import type { Browser, Page } from 'playwright-core';
import { createApp } from 'create-toolwright';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { DevProcess } from './support/dev-process.js';
import { ProjectFolder } from './support/project-folder.js';

const installed = {
  '@toolwright/core': 'packages/core',
  '@toolwright/http': 'packages/http',
  '@toolwright/identity': 'packages/identity',
  '@toolwright/testing': 'packages/testing',
  'class-validator': 'packages/cli/node_modules/class-validator',
  'class-transformer': 'packages/cli/node_modules/class-transformer',
  '@types/node': 'node_modules/@types/node',
};

describeInChromium('the first visit to the console of a new app', (browser: () => Browser) => {
  let room: ProjectFolder;
  let dev: DevProcess;
  let page: Page;
  /** What the page complained about, and what was refused, on any port. */
  let wrong: string[];

  const visit = async (words: Record<string, string>) => {
    createApp({ directory: room.path('app'), words });
    room.install(installed);
    dev = new DevProcess({ folder: room.path('app'), path: (...names) => room.path(...names) });
    await dev.url();
    await page.goto(/^console: (\S+)$/m.exec(dev.printed)![1]!);
  };

  beforeEach(async () => {
    room = new ProjectFolder();
    wrong = [];
    page = await (await browser().newContext()).newPage();
    page.setDefaultTimeout(120_000);
    page.on('response', (response) => {
      if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`);
    });
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') wrong.push(message.text());
    });
    page.on('pageerror', (error) => wrong.push(error.message));
  });

  afterEach(async () => {
    await page.context().close();
    await dev.stop();
    room.remove();
  });

  test.each([
    ['without users', {}],
    ['with users', { auth: 'jwt' }],
  ])('has no request that is refused, on any pane: an app %s', async (_, words: Record<string, string>) => {
    await visit(words);
    if (words['signIn'] === 'jwt') {
      // An anonymous caller sees no tool here. The page says so, and leads on.
      await page.getByText('2 are hidden, because this caller may not use them.').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Call as ann' }).click();
    }
    await page.getByRole('link', { name: 'find_notes' }).waitFor();
    const links = await page.getByRole('navigation', { name: 'Panes' }).getByRole('link').all();
    expect(links.length).toBeGreaterThan(8);
    for (const link of links) {
      await link.click();
      await page.locator('h1').waitFor({ state: 'attached' });
      await page.getByText(/^(Loading|Looking at the project)…$/).waitFor({ state: 'detached' });
    }
    await page.evaluate("location.hash = '#/tools/tool/find_notes'");
    await page.getByLabel('query').fill('milk');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('link', { name: 'trace' }).click();
    await page.getByRole('list', { name: /^Time line of / }).waitFor();
    expect(wrong).toEqual([]);
  });
});
