import { createMcpServer, RequireScopes, type McpServer, type ToolContext } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { ConsoleUnderTest, openPage, type OpenPage } from './support/console-under-test.js';

const every = {
  type: 'object',
  properties: {
    text: { type: 'string', title: 'Words', description: 'what to look for', minLength: 2 },
    count: { type: 'integer', minimum: 1, maximum: 10 },
    ratio: { type: 'number' },
    isOpen: { type: 'boolean' },
    colour: { enum: ['red', 'green'] },
    when: { type: 'string', format: 'date-time' },
    day: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { type: 'string' } },
    place: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    shape: {
      oneOf: [
        {
          type: 'object',
          title: 'circle',
          properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
          required: ['kind', 'radius'],
        },
        {
          type: 'object',
          title: 'square',
          properties: { kind: { const: 'square' }, side: { type: 'number' } },
          required: ['kind', 'side'],
        },
      ],
    },
    tree: { $ref: '#/$defs/Node' },
    file: { type: 'string', contentEncoding: 'base64' },
    body: { type: 'string' },
    maybe: { type: ['string', 'null'] },
  },
  required: ['text'],
  additionalProperties: false,
  $defs: {
    Node: {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
      required: ['name'],
    },
  },
} as const;

async function exampleServer(): Promise<McpServer> {
  const server = await createMcpServer({
    name: 'example',
    title: 'Example',
    version: '1.0.0',
    services: [],
    audit: false,
  });
  server.tools.add({
    name: 'echo_all',
    description: 'Returns its arguments.',
    inputSchema: every,
    outputSchema: { type: 'object' },
    handler: (args) => args,
  });
  server.tools.add({
    name: 'list_rows',
    description: 'Returns rows.',
    inputSchema: { type: 'object' },
    outputSchema: {
      type: 'object',
      properties: { rows: { type: 'array', items: { type: 'object' } } },
      required: ['rows'],
    },
    handler: () => ({
      rows: [
        { id: 1, name: 'one' },
        { id: 2, name: 'two' },
      ],
    }),
  });
  server.tools.add({
    name: 'ask_name',
    description: 'Asks for a name and greets.',
    inputSchema: { type: 'object' },
    handler: async (_args: unknown, context: ToolContext) => {
      const { action, content } = await context.elicit('name', {
        message: 'Who are you?',
        schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      });
      return action === 'accept' ? `Hello ${String(content?.['name'])}` : `You said ${action}.`;
    },
  });
  server.tools.add({
    name: 'show_media',
    description: 'Returns a picture, a sound and a link.',
    inputSchema: { type: 'object' },
    handler: () => ({
      content: [
        {
          type: 'image',
          mimeType: 'image/gif',
          data: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
        },
        {
          type: 'audio',
          mimeType: 'audio/wav',
          data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=',
        },
        { type: 'resource_link', uri: 'file:///notes.txt', name: 'notes' },
      ],
    }),
  });
  server.tools.add({
    name: 'close_books',
    description: 'Only for the accountant.',
    inputSchema: { type: 'object' },
    policies: [RequireScopes.entry('books:close')],
    handler: () => 'closed',
  });
  server.prompts.add({
    name: 'greet',
    description: 'Greets somebody.',
    arguments: [{ name: 'who', required: true }],
    complete: { who: (typed) => ['Ada', 'Alan', 'Grace'].filter((name) => name.startsWith(typed)) },
    handler: ({ who }) => `Greet ${String(who)}.`,
  });
  server.resources.add({
    name: 'notes',
    uri: 'notes://all',
    mimeType: 'text/plain',
    handler: () => 'All notes.',
  });
  return server;
}

describeInChromium('the pane of tools', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;

  beforeEach(async () => {
    server = await exampleServer();
    console = await ConsoleUnderTest.start([server]);
    opened = await openPage(browser(), console.url);
  });

  afterEach(async () => {
    await opened.page.context().close();
    await console.close();
    await server.close();
  });

  const at = (kind: string, key: string) =>
    opened.page.evaluate((hash) => void (location.hash = hash), `#/tools/${kind}/${encodeURIComponent(key)}`);

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
    expect(await page.getByRole('alert').first().innerText()).toMatch(/short/);
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

  test('a list of objects in a result is a table', async () => {
    const { page } = opened;
    await at('tool', 'list_rows');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('cell', { name: 'two' }).waitFor();
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['id', 'name']);
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

  test('an argument of a prompt is completed as the person types', async () => {
    const { page } = opened;
    await at('prompt', 'greet');
    await page.getByLabel('who *').pressSequentially('A');
    await page.locator('datalist option[value="Alan"]').waitFor({ state: 'attached' });
    expect(await page.locator('datalist option').count()).toBe(2);
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

  test('a tool that is added while the page is open appears', async () => {
    const { page } = opened;
    await page.getByRole('link', { name: 'echo_all' }).waitFor();
    server.tools.add({ name: 'brand_new', inputSchema: { type: 'object' }, handler: () => 'new' });
    await page.getByRole('link', { name: 'brand_new' }).waitFor();
  });

  test.each(['light', 'dark'] as const)(
    'there are no barriers, and nothing to complain about (%s)',
    async (colorScheme) => {
      const { page, complaints } = await openPage(browser(), console.url, { colorScheme });
      await page.goto(`${page.url().split('#')[0]}#/tools/tool/echo_all`);
      await page.getByLabel('Words').fill('hello');
      await page.getByRole('button', { name: 'Add', exact: true }).first().click();
      await page.getByRole('button', { name: 'Call', exact: true }).click();
      await page.getByText('1 hidden from this caller').click();
      expect(await findBarriers(page)).toEqual([]);
      for (const name of ['Code', 'Saved', 'anonymous', 'Search or jump to']) {
        await page.getByRole('button', { name }).click();
        expect(await findBarriers(page)).toEqual([]);
        await page.keyboard.press('Escape');
      }
      await page.setViewportSize({ width: 380, height: 700 });
      expect(await findBarriers(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );
});
