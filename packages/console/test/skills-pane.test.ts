import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMcpServer, type McpServer } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { Inside } from '../src/index.js';
import { ConsoleUnderTest, openPage, type OpenPage } from './support/console-under-test.js';

const folder = temporaryFolder();
const file = (text: string) => {
  mkdirSync(join(folder, 'refunds'), { recursive: true });
  writeFileSync(join(folder, 'refunds/SKILL.md'), text);
};
const skill = (text: string) => `---\nname: refunds\ndescription: Refund an order.\n---\n\n${text}\n`;
let server: McpServer;

beforeEach(async () => {
  file(skill('At most 200 euros.'));
  const options = { skills: { folder, scopes: ['support'] } };
  server = await createMcpServer({ name: 'desk', version: '1', services: [], audit: false, ...options });
});
afterEach(() => server.close(0));

test('operators of the console read skills again, and learn what is wrong', async () => {
  const inside = new Inside(() => undefined);
  inside.add(server);
  const reload = () => inside.ask('reloadSkills', { server: 'desk' });
  const digests = async () => JSON.stringify((await inside.ask('state', { server: 'desk' })).skills);
  const before = await digests();
  file(skill('At most 300 euros.'));
  expect(await reload()).toEqual({});
  expect(await digests()).not.toBe(before);
  file('nothing');
  await expect(reload()).rejects.toThrow('cannot be served');
});

describeInChromium('the pane of skills', (browser: () => Browser) => {
  let console: ConsoleUnderTest;
  let opened: OpenPage;
  afterEach(async () => {
    await opened.page.context().close();
    await console.close();
  });

  test.each([[false], [true]])('shows files, digests and who may see them (dark: %s)', async (dark) => {
    console = await ConsoleUnderTest.start([server], {});
    opened = await openPage(browser(), console.url, { colorScheme: dark ? 'dark' : 'light' });
    const { page } = opened;
    await page.evaluate('location.hash = "#/skills"');
    await page.getByRole('cell', { name: 'everybody with support' }).waitFor();
    const files = page.getByRole('region', { name: /^Files of refunds/ }).first();
    const digest = await files.locator('code').innerText();
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await findBarriers(page)).toEqual([]);
    file(skill('At most 300 euros.'));
    await page.getByRole('button', { name: 'Read again the folders of skills' }).click();
    await page.getByText('Read again: the folders of skills').waitFor();
    await files.locator('code').filter({ hasNotText: digest }).waitFor();
    expect(opened.complaints).toEqual([]);
  });
});
