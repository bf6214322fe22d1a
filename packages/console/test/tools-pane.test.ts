import { type McpServer, RequireScopes } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { exampleServer } from './support/example-server.js';
import { ConsoleUnderTest, type OpenPage, schemes } from './support/console-under-test.js';

describeInChromium('the pane of tools', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;

  beforeEach(async () => {
    server = await exampleServer();
    console = await ConsoleUnderTest.forTest([server]);
    opened = await console.show(browser());
  });

  const at = (kind: string, key: string) =>
    opened.page.evaluate(`location.hash = "#/tools/${kind}/${encodeURIComponent(key)}"`);

  test('a tool is found by its name, its form is filled in, and it is called', async () => {
    const { page, complaints } = opened;
    await page.getByRole('searchbox').fill('echo');
    await page.getByRole('searchbox').press('Enter');
    await page.getByLabel('Words').fill('hello');
    await page.getByLabel('count').fill('3');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('ok', { exact: true }).waitFor();
    expect(await page.getByRole('group', { name: 'Structured content' }).innerText()).toMatch(
      /"text": "hello"[^]*"count": 3/,
    );
    expect(complaints).toEqual([]);
  });

  test('what does not fit the schema is told beside its field, and nothing is called', async () => {
    const { page } = opened;
    await at('tool', 'echo_all');
    await page.getByLabel('Words').fill('h');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByRole('alert').first().innerText()).toMatch(/at least 2 characters/);
    expect(console.hub.recordings.api.calls({})).toEqual([]);
  });

  test('the same arguments are seen as JSON, changed there, and called with the keyboard alone', async () => {
    const { page, complaints } = opened;
    await at('tool', 'echo_all');
    await page.getByLabel('Words').fill('hello');
    await page.getByRole('button', { name: 'JSON' }).click();
    const editor = page.getByRole('textbox', { name: 'Arguments as JSON' });
    await editor.waitFor();
    expect(await editor.innerText()).toContain('"text": "hello"');
    await editor.fill('{"text":"changed","shape":{"kind":"circle","radius":2}}');
    await editor.press('Control+Enter');
    await page.getByText('ok', { exact: true }).waitFor();
    expect(await page.getByRole('group', { name: 'Structured content' }).innerText()).toContain(
      '"radius": 2',
    );
    expect(complaints).toEqual([]);
  });

  test('a list of objects in a result is a table, and the call leads to its trace', async () => {
    const { page } = opened;
    await at('tool', 'list_rows');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('cell', { name: 'two' }).waitFor();
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['id', 'name']);
    await page.getByRole('link', { name: 'trace' }).click();
    await page.getByRole('heading', { name: 'list_rows' }).waitFor();
  });

  test('the result of a call is gone when the next one begins, and back if it cannot begin', async () => {
    const { page } = opened;
    const trace = page.getByRole('link', { name: 'trace' });
    const call = () => page.getByRole('button', { name: 'Call', exact: true }).click();
    await at('tool', 'list_rows');
    await call();
    await trace.waitFor();
    let begin!: () => void;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    await page.route('**/api/startCall', async (route) => {
      await begun;
      await route.abort();
    });
    await call();
    await trace.waitFor({ state: 'detached' });
    begin();
    await trace.waitFor();
  });

  test.each(['', '2025-06-18'])(
    'the person answers a question of a running call (revision %s)',
    async (revision) => {
      const { page } = opened;
      await at('tool', 'ask_name');
      await page.getByLabel('Revision of the protocol').selectOption(revision);
      await page.getByRole('button', { name: 'Call', exact: true }).click();
      await page.getByText('Who are you?').waitFor();
      await page.getByLabel('name *', { exact: true }).fill('Ada');
      await page.getByRole('button', { name: 'Accept' }).click();
      await page.getByText('Hello Ada').waitFor();
    },
  );

  test('pictures, sounds and links are shown as such', async () => {
    const { page, complaints } = opened;
    await at('tool', 'show_media');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('file:///notes.txt').waitFor();
    const width = await page
      .getByRole('img', { name: 'What the server sent' })
      .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
    expect(width).toBe(1);
    expect(await page.locator('audio').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('the page of an MCP App shows the result, on an origin of its own', async () => {
    const { page, complaints } = opened;
    await at('tool', 'add_numbers');
    await page.getByLabel('a', { exact: true }).fill('3');
    await page.getByLabel('b', { exact: true }).fill('4');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.frameLocator('iframe').getByText('The sum is 7').waitFor();
    const frame = page.frames()[1]!;
    expect(new URL(frame.url()).origin).not.toBe(new URL(page.url()).origin);
    expect(complaints).toEqual([]);
  });

  test('an argument of a prompt is completed as the person types', async () => {
    const { page } = opened;
    await at('prompt', 'greet');
    await page.getByLabel('who *').pressSequentially('A');
    // All names stand there until the answer to what was typed arrives.
    await page
      .locator('datalist:has(option[value="Alan"]):not(:has(option[value="Grace"]))')
      .waitFor({ state: 'attached' });
    await page.getByLabel('who *').fill('Ada');
    await page.getByRole('button', { name: 'Get' }).click();
    await page.getByText('Greet Ada.').waitFor();
  });

  test('a hidden tool is told with its reason, and shown to a caller with the scope', async () => {
    const { page } = opened;
    await page.getByText('1 hidden from this caller').click();
    await page.getByText('The caller does not have the scope books:close.').waitFor();
    await page.getByRole('button', { name: 'anonymous' }).click();
    await page.getByLabel('Subject').fill('ada');
    await page.getByRole('button', { name: 'books:close' }).click();
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByRole('link', { name: 'close_books' }).click();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('closed', { exact: true }).waitFor();
  });

  test('arguments are saved under a name and used again', async () => {
    const { page } = opened;
    await at('tool', 'echo_all');
    await page.getByLabel('Words').fill('kept');
    await page.getByRole('button', { name: 'Saved' }).click();
    await page.getByLabel('Name', { exact: true }).fill('mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('Words').fill('other');
    await page.getByRole('button', { name: 'Saved (1)' }).click();
    await page.getByRole('button', { name: 'mine', exact: true }).click();
    expect(await page.getByLabel('Words').inputValue()).toBe('kept');
  });

  test('one call is made on five revisions, and the answers stand side by side', async () => {
    const { page, complaints } = opened;
    await at('tool', 'list_rows');
    await page.getByRole('button', { name: 'On all revisions' }).click();
    const columns = page.getByRole('region', { name: 'Answers by revision' });
    await columns.getByText('ok', { exact: true }).nth(4).waitFor();
    expect(await columns.locator('h3').allInnerTexts()).toHaveLength(5);
    expect(await columns.getByText('the same content').count()).toBeGreaterThan(0);
    expect(await findBarriers(page, 'dialog[open]')).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a tool that may change something is called on all revisions only with consent', async () => {
    const { page, complaints } = opened;
    let made = 0;
    server.tools.add({
      name: 'drop_table',
      inputSchema: { type: 'object' },
      handler: () => `dropped ${++made}`,
    });
    await page.getByRole('link', { name: 'drop_table' }).waitFor();
    await at('tool', 'drop_table');
    const dialog = page.getByRole('dialog', { name: 'One call on all revisions' });
    for (const leave of ['Cancel', 'Escape'] as const) {
      await page.getByRole('button', { name: 'On all revisions' }).click();
      await dialog.getByText('5 real calls').waitFor();
      expect(await findBarriers(page, 'dialog[open]')).toEqual([]);
      expect(await dialog.locator(':focus').innerText()).toBe('Cancel');
      if (leave === 'Cancel') await page.keyboard.press('Enter');
      else await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }
    // A call that the page had begun would come before this one.
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('dropped 1').first().waitFor();
    expect(made).toBe(1);
    await page.getByRole('button', { name: 'On all revisions' }).click();
    await dialog.getByRole('button', { name: 'Make 5 calls' }).click();
    await dialog.getByText('ok', { exact: true }).nth(4).waitFor();
    expect(made).toBe(6);
    expect(complaints).toEqual([]);
  });

  test('a locked tool is marked, and its refusal says what to do', async () => {
    const { page } = opened;
    server.tools.add({
      name: 'locked_one',
      inputSchema: { type: 'object' },
      policies: [RequireScopes.entry('books:lend', { whenMissing: 'list' })],
      handler: () => 'open',
    });
    await page.getByRole('img', { name: 'locked: lacks books:lend' }).waitFor();
    await at('tool', 'locked_one');
    await page.getByText('locked', { exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('An anonymous caller may not use "locked_one"').waitFor();
    await page.getByText('What to do:').waitFor();
  });

  test('a result is copied, and an empty one says so', async () => {
    const { page } = opened;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await at('tool', 'list_rows');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('button', { name: 'Copy the result' }).click();
    await page.getByText('Copied').waitFor();
    expect(JSON.parse(await page.evaluate('navigator.clipboard.readText()'))).toEqual({
      rows: [
        { id: 1, name: 'one' },
        { id: 2, name: 'two' },
      ],
    });
    server.tools.add({ name: 'silent', inputSchema: { type: 'object' }, handler: () => ({ content: [] }) });
    await at('tool', 'silent');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('The result is empty').waitFor();
  });

  test('on a Mac the keys are those of a Mac', async () => {
    const context = await browser().newContext();
    await context.addInitScript("Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' })");
    const page = await context.newPage();
    await page.goto(console.url);
    await page.getByText('⌘ K').waitFor();
    await page.getByText('⌘ Enter').waitFor();
    await context.close();
  });

  test('a tool that is added while the page is open appears', async () => {
    const { page } = opened;
    await page.getByRole('link', { name: 'echo_all' }).waitFor();
    server.tools.add({ name: 'brand_new', inputSchema: { type: 'object' }, handler: () => 'new' });
    await page.getByRole('link', { name: 'brand_new' }).waitFor();
  });

  test.each(schemes)('there are no barriers, and nothing to complain about (%s)', async (colorScheme) => {
    const { page, complaints } = await console.show(browser(), { colorScheme });
    await page.goto(`${page.url().split('#')[0]}#/tools/tool/echo_all`);
    await page.getByLabel('Words').fill('hello');
    await page.getByRole('button', { name: 'Add to tags' }).click();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('1 hidden from this caller').click();
    expect(await findBarriers(page)).toEqual([]);
    for (const name of ['Code', 'Saved', 'anonymous', 'Search or jump to']) {
      await page.getByRole('button', { name }).click();
      expect(await findBarriers(page, 'dialog[open]')).toEqual([]);
      await page.keyboard.press('Escape');
    }
    await page.setViewportSize({ width: 380, height: 700 });
    expect(await findBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
