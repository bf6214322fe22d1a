import { hosts } from '@toolwright/hosts';
import { createMcpServer, type McpServer } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import type { Overview } from '../src/api/overview-api.js';
import { ConsoleUnderTest, type OpenPage, schemes } from './support/console-under-test.js';
import { goTo } from './support/records.js';

const endpoint = 'http://127.0.0.1:3000/mcp';
const command = { program: 'node', args: ['/home/ada/app/main.js'] };

describeInChromium('the pane of hosts', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;

  const open = async (overview: Partial<Overview>) => {
    server = await createMcpServer({ name: 'my notes', version: '1.0.0', services: [], audit: false });
    console = await ConsoleUnderTest.forTest([server], { overview });
    opened = await console.show(browser());
    await goTo(opened.page, 'hosts', 'vscode');
  };

  test('a host gets a link, a command and a file, over HTTP or as a program', async () => {
    await open({ endpoint, command });
    const { page, complaints } = opened;
    const link = page.getByRole('link', { name: 'Add to VS Code' });
    expect(decodeURIComponent((await link.getAttribute('href'))!)).toBe(
      `vscode:mcp/install?{"name":"my-notes","type":"http","url":"${endpoint}"}`,
    );
    await page.getByRole('button', { name: 'As a program' }).click();
    await page.getByText('"command": "node"').waitFor();
    expect(decodeURIComponent((await link.getAttribute('href'))!)).toContain('/home/ada/app/main.js');
    expect(complaints).toEqual([]);
  });

  test('a token is asked for or named by a variable; none stands in a setting', async () => {
    await open({ endpoint });
    const { page } = opened;
    await page.getByLabel('It needs a bearer token').check();
    await page.getByText('"promptString"').last().waitFor();
    await page.getByRole('link', { name: 'Cursor', exact: true }).click();
    await page.getByText('Bearer ${env:MY_NOTES_TOKEN}').first().waitFor();
  });

  test('the list begins with a host that works, and one is open without a choice', async () => {
    await open({ endpoint });
    const { page } = opened;
    await goTo(page, 'hosts');
    const list = page.getByRole('navigation', { name: 'Hosts' }).getByRole('listitem');
    await list.first().waitFor();
    const needsMore = (await list.allInnerTexts()).map((text) => text.includes('needs more'));
    expect(needsMore[0]).toBe(false);
    expect(needsMore).toContain(true);
    expect(needsMore).toEqual([...needsMore].sort((one, other) => Number(one) - Number(other)));
    const current = page.locator('a.choice[aria-current]');
    expect(await current.innerText()).toBe(await list.first().innerText());
    await page.getByRole('heading', { name: (await current.innerText()).trim(), exact: true }).waitFor();
  });

  test('without an endpoint and a command it says why there is nothing', async () => {
    await open({});
    await opened.page.getByText('The server cannot be reached yet').waitFor();
  });

  test.each(schemes)('no host has barriers, nor on a phone (%s)', async (colorScheme) => {
    await open({ endpoint, command });
    const { page, complaints } = opened;
    await page.emulateMedia({ colorScheme });
    for (const { id, title } of hosts) {
      await goTo(page, 'hosts', id);
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
      expect(await findBarriers(page, '.detail')).toEqual([]);
    }
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 380, height: 700 });
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(380);
    expect(complaints).toEqual([]);
  });
});
