import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { ConsoleUnderTest, openPage } from '../../../packages/console/test/support/console-under-test.js';
import { tour } from '../../../packages/console/test/support/tour.js';
import { createPagesServer, type PagesServer } from '../src/pages-server.js';

describeInChromium('the console of the pages', (browser) => {
  let folder: string;
  let pages: PagesServer;
  let console: ConsoleUnderTest;

  beforeAll(async () => {
    folder = temporaryFolder();
    const importFolder = join(folder, 'import');
    mkdirSync(importFolder);
    writeFileSync(join(importFolder, 'tea.md'), '# Tea\n\nPour it while it is hot.\n');
    // The first start says on standard error what takes long.
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    pages = await createPagesServer({
      port: 0,
      dataFolder: join(folder, 'data'),
      importFolder,
      databaseUrl: undefined,
    });
    console = await ConsoleUnderTest.start([pages.server]);
  });

  afterAll(async () => {
    await console.close();
    await pages.server.close();
  });

  test('a page is found, and deleted after a question; every pane works, without barriers and complaints', async () => {
    const { page, complaints } = await openPage(browser(), console.url);
    page.setDefaultTimeout(120_000);
    await page.getByRole('link', { name: 'search_pages' }).click();
    await page.getByLabel('query').fill('hot');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    const row = page.getByRole('row', { name: /Tea/ });
    await row.waitFor();
    const id = await row.getByRole('cell').first().innerText();

    await page.getByRole('link', { name: 'delete_page' }).click();
    await page.getByLabel('pageId').fill(id);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    const question = page.getByRole('region', { name: 'The tool asks you' });
    await question.waitFor();
    await question.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('isError', { exact: true }).waitFor();

    expect(await tour(page)).toContain('Audit');
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
