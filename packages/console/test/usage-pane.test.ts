import { join } from 'node:path';
import { connect } from '@toolwright/client';
import { createMcpServer, type McpServer } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { silentLogger } from '@toolwright/core/ports';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { ConsoleUnderTest, openPage, type OpenPage } from './support/console-under-test.js';
import { goTo } from './support/records.js';

/** What a client can hide in its id, and how the table shows it. */
const DESK = 'desk\u{e0100}.\u00ad.\u2064.\u200b.\u202e.\u{e0041}';
const SHOWN = String.raw`desk\u{e0100}.\u{ad}.\u{2064}.\u{200b}.\u{202e}.\u{e0041}`;

describeInChromium('the pane of usage', (browser: () => Browser) => {
  let folder: string;
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;

  async function start(): Promise<McpServer> {
    const audit = { file: join(folder, 'audit.jsonl') };
    const started = await createMcpServer({
      name: 'small',
      version: '1',
      services: [],
      logger: silentLogger,
      audit,
    });
    for (const version of ['1', '2'])
      started.tools.add({
        name: 'search_pages',
        version,
        description: 'Search pages.',
        annotations: { readOnlyHint: true },
        handler: () => version,
      });
    return started;
  }

  beforeEach(async () => {
    folder = temporaryFolder();
    server = await start();
    const client = await connect(server, { principal: { subject: 'ann', scopes: [], clientId: DESK } });
    for (const name of ['search_pages', 'search_pages', 'search_pages.v1']) await client.call(name, {});
    await client.close();
    // A server that ends has written its records. The console shows the one that was started after it, which answers.
    await server.close(0);
    server = await start();
    console = await ConsoleUnderTest.start([server]);
    opened = await openPage(browser(), console.url);
    await goTo(opened.page, 'usage');
  });

  afterEach(async () => {
    await opened.page.context().close();
    await console.close();
    await server.close(0);
  });

  test('shows the calls of a tool, its clients, and who still calls an old version', async () => {
    const { page, complaints } = opened;
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'search_pages' }) });
    expect(await row.innerText()).toMatch(/search_pages\s+1 deprecated\s+3\s+0\s+0\s/);
    await page.getByRole('button', { name: 'client', exact: true }).click();
    await page.getByRole('cell', { name: SHOWN }).waitFor();
    await page.getByRole('button', { name: 'old versions' }).click();
    await page.getByRole('columnheader', { name: 'Version' }).waitFor();
    // The row of before has other cells with a 1.
    await row.filter({ hasText: /deprecated\s*1/ }).waitFor();
    expect((await row.innerText()).replace(SHOWN, 'desk')).toMatch(
      /search_pages\s+deprecated\s+1\s+desk\s+1\s/,
    );
    expect(await findBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('shows what the list and the results cost', async () => {
    const { page, complaints } = opened;
    await page.getByRole('button', { name: 'cost', exact: true }).click();
    await page.getByText('3 requests of models wrote 3 calls').waitFor();
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'search_pages' }) });
    expect(await row.innerText()).toMatch(/search_pages\s+\d+\s+3\s+\d+\s+\d+/);
    await page.getByText('What nobody can know').click();
    await page.getByText('Requests of models that called no tool.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
