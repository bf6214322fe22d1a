import { createMcpServer, type McpServer } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { ConsoleUnderTest, openPage, type OpenPage } from './support/console-under-test.js';

const TOOLS = 974;

describeInChromium('the palette', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;

  beforeAll(async () => {
    server = await createMcpServer({ name: 'large', version: '1.0.0', services: [], audit: false });
    for (let number = 1; number <= TOOLS; number++)
      server.tools.add({
        name: `tool_${String(number).padStart(3, '0')}`,
        inputSchema: { type: 'object' },
        handler: () => 'done',
      });
    console = await ConsoleUnderTest.start([server]);
  });

  beforeEach(async () => {
    opened = await openPage(browser(), console.url);
    await opened.page.getByRole('link', { name: 'tool_001' }).waitFor();
  });

  afterEach(() => opened.page.context().close());

  afterAll(async () => {
    await console.close();
    await server.close();
  });

  test('one types into it as soon as it opens, and Enter goes to the last of 974 tools', async () => {
    const { page, complaints } = opened;
    await page.keyboard.press('Control+k');
    await page.keyboard.type(`tool_${TOOLS}`);
    await page.getByRole('option', { name: `tool_${TOOLS}` }).waitFor();
    expect(await findBarriers(page, 'dialog[open]')).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `tool_${TOOLS}` }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test.each(['#/tools/%', '#/tools/tool/%E0%A4%A', '#/%'])(
    'the address %s shows the console',
    async (hash) => {
      const { page, complaints } = opened;
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.reload();
      await page.getByRole('button', { name: 'Search or jump to' }).waitFor();
      expect(complaints).toEqual([]);
    },
  );

  test('arrow keys go from one to the next, and it says how many more there are', async () => {
    const { page } = opened;
    await page.keyboard.press('Control+k');
    await page.keyboard.type('tool');
    await page.getByText('874 more: type more of the name.').waitFor();
    expect(await findBarriers(page, 'dialog[open]')).toEqual([]);
    await page.keyboard.type('_90');
    await page.getByRole('option', { name: 'tool_900' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'tool_901' }).waitFor();
  });

  test('it finds a pane, opens again empty, and Escape closes it', async () => {
    const { page } = opened;
    await page.getByRole('button', { name: 'Search or jump to' }).click();
    await page.keyboard.type('traffic');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Traffic' }).waitFor({ state: 'attached' });
    await page.keyboard.press('Control+k');
    expect(await page.getByRole('combobox', { name: 'Search or jump to' }).inputValue()).toBe('');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
