import type { McpServer } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { ConsoleUnderTest, type OpenPage } from './support/console-under-test.js';
import { exampleServer } from './support/example-server.js';
import { goTo } from './support/records.js';

describeInChromium('the pane that explains', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;

  beforeEach(async () => {
    server = await exampleServer();
    console = await ConsoleUnderTest.forTest([server]);
    opened = await console.show(browser());
  });

  test('tools of one name have one row, and each of them is explained', async () => {
    const { page } = opened;
    for (const tenant of ['acme', 'globex'])
      server.tools.add({
        name: 'export',
        description: `Exports for ${tenant}.`,
        annotations: { readOnlyHint: true },
        for: (principal) => principal?.tenant === tenant,
        handler: () => tenant,
      });
    await goTo(page, 'explain', 'export');
    const detail = page.locator('.detail');
    await detail.getByText('2 tools have this name').waitFor();
    await page.getByLabel('Tools', { exact: true }).getByRole('link', { name: 'export hidden' }).waitFor();
    expect(await detail.locator('.description').innerText()).toBe('Exports for acme.');
    await detail.getByRole('button', { name: 'Exports for globex.' }).click();
    expect(await detail.locator('.description').innerText()).toBe('Exports for globex.');
    expect(await detail.innerText()).toContain('principal?.tenant === tenant');
    expect(await detail.innerText()).toContain('The option for hides this tool');
  });

  test('what many places have in common is one line, which opens', async () => {
    const { page } = opened;
    const properties = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`p${index}`, { type: 'integer', minimum: 1 }]),
    );
    server.tools.add({ name: 'wide', inputSchema: { type: 'object', properties }, handler: () => 'wide' });
    await goTo(page, 'explain', 'wide');
    const table = page.getByRole('region', { name: 'Verdicts by library' });
    await table.getByText('40 places').waitFor();
    expect(await table.getByRole('row').count()).toBeLessThan(6);
    await table.getByText('40 places').click();
    await table.getByText('/properties/p39').waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  test('while a tool loads, nothing of the tool before it is shown', async () => {
    const { page } = opened;
    await goTo(page, 'explain', 'echo_all');
    const detail = page.locator('.detail');
    await detail.getByRole('heading', { name: 'echo_all' }).waitFor();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/explain', async (route) => {
      await held;
      await route.continue();
    });
    await goTo(page, 'explain', 'list_rows');
    await detail.getByText('Loading…').waitFor();
    expect(await detail.innerText()).not.toContain('echo_all');
    expect(await detail.innerText()).not.toContain('Returns its arguments.');
    answer();
    await detail.getByRole('heading', { name: 'list_rows' }).waitFor();
    expect(await detail.innerText()).not.toContain('echo_all');
  });
});
