import type { McpServer, ToolContext } from '@toolwright/core';
import { MemoryTaskStore, systemClock } from '@toolwright/core/ports';
import type { Browser } from 'playwright-core';
import { Confirm, createMcpServer } from '@toolwright/core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { ConsoleUnderTest, type OpenPage } from './support/console-under-test.js';
import { goTo } from './support/records.js';

const text = { type: 'string' };
const word = { type: 'string', minLength: 2 };

async function formServer(): Promise<McpServer> {
  const server = await createMcpServer({
    name: 'forms',
    version: '1.0.0',
    services: [],
    audit: false,
    stores: { tasks: new MemoryTaskStore(systemClock) },
  });
  const add = (name: string, inputSchema: Record<string, unknown>) =>
    server.tools.add({ name, inputSchema, outputSchema: { type: 'object' }, handler: (args) => args });
  add('small', {
    type: 'object',
    properties: { word, count: { type: 'integer', minimum: 1 } },
    required: ['word', 'count'],
    additionalProperties: false,
  });
  add('shapes', {
    type: 'object',
    properties: {
      shape: {
        anyOf: [
          {
            type: 'object',
            properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
            required: ['kind', 'radius'],
          },
          { $ref: '#/$defs/Square' },
        ],
      },
      colours: { type: 'array', items: { enum: ['red', 'green', 'blue'] } },
      labels: { type: 'object', additionalProperties: text },
    },
    required: ['shape', 'labels'],
    $defs: {
      Square: {
        type: 'object',
        properties: { kind: { const: 'square' }, side: { type: 'number' } },
        required: ['kind', 'side'],
      },
    },
  });
  const many = Array.from({ length: 60 }, (_, index) => [`field_${index}`, text]);
  add('long', { type: 'object', properties: Object.fromEntries(many) as Record<string, unknown> });
  server.tools.add({
    name: 'works',
    inputSchema: { type: 'object' },
    task: 'optional',
    handler: async (_args: unknown, context: ToolContext) => {
      context.progress(1, 2, 'half way');
      const { action, content } = await context.elicit('name', {
        message: 'Who are you?',
        schema: { type: 'object', properties: { name: text }, required: ['name'] },
      });
      return action === 'accept' ? `Hello ${String(content?.['name'])}` : `You said ${action}.`;
    },
  });
  return server;
}

describeInChromium('the forms of the console', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;

  beforeEach(async () => {
    server = await formServer();
    console = await ConsoleUnderTest.forTest([server]);
    opened = await console.show(browser());
  });

  const call = () => opened.page.getByRole('button', { name: 'Call', exact: true }).click();

  test('a message is in the words of the server, and the focus goes to the first field that is wrong', async () => {
    const { page } = opened;
    await goTo(page, 'tools', 'tool', 'small');
    await page.getByLabel('word').fill('h');
    await page.getByLabel('count').fill('0');
    await call();
    await page.locator('.field-errors').first().waitFor();
    const shown = await page.locator('.field-errors li').allInnerTexts();
    expect(await page.evaluate('document.activeElement.value')).toBe('h');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel('word').fill('hello');
    await page.getByText(shown[0]!).waitFor({ state: 'detached' });
    await page.getByLabel('count').fill('1');
    await call();
    await page.getByText('ok', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'JSON' }).click();
    await page.getByRole('textbox', { name: 'Arguments as JSON' }).fill('{"word":"h","count":0}');
    await call();
    const refusal = page.getByRole('tabpanel').getByText(/word: /);
    await refusal.waitFor();
    for (const message of shown) expect(await refusal.innerText()).toContain(message);
  });

  test('branches are named by their constant, choices are ticked, and a required map may be empty', async () => {
    const { page, complaints } = opened;
    await goTo(page, 'tools', 'tool', 'shapes');
    const branches = page.getByRole('combobox', { name: 'Which of these' });
    await branches.waitFor();
    expect(await branches.locator('option').allInnerTexts()).toEqual(['circle', 'square']);
    await branches.selectOption({ label: 'square' });
    await page.getByLabel('side').fill('2');
    await page.getByRole('checkbox', { name: 'red' }).check();
    await page.getByRole('checkbox', { name: 'blue' }).check();
    expect(await findBarriers(page)).toEqual([]);
    await call();
    await page.getByText('ok', { exact: true }).waitFor();
    const [first] = await console.hub.recordings.api.calls({});
    expect(first!.record.arguments).toEqual({
      shape: { kind: 'square', side: 2 },
      colours: ['red', 'blue'],
      labels: {},
    });
    expect(complaints).toEqual([]);
  });

  test('JSON begins with what is required', async () => {
    const { page } = opened;
    await goTo(page, 'tools', 'tool', 'shapes');
    await page.getByRole('button', { name: 'JSON' }).click();
    const editor = page.getByRole('textbox', { name: 'Arguments as JSON' });
    await editor.waitFor();
    expect(JSON.parse(await editor.innerText())).toEqual({
      shape: { kind: 'circle', radius: 0 },
      labels: {},
    });
  });

  test('while the JSON is no object, there is no call to repeat, to show as code, or to save', async () => {
    const { page } = opened;
    await goTo(page, 'tools', 'tool', 'small');
    await page.getByRole('button', { name: 'JSON' }).click();
    const editor = page.getByRole('textbox', { name: 'Arguments as JSON' });
    const buttons = ['On all revisions', 'Code'].map((name) =>
      page.getByRole('button', { name, exact: true }),
    );
    const areEnabled = () => Promise.all(buttons.map((button) => button.isEnabled()));
    await editor.fill('{"word":"hello","count":1}');
    expect(await areEnabled()).toEqual([true, true]);
    await editor.fill('{"word":"hello","count":');
    expect(await areEnabled()).toEqual([false, false]);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Saved' }).click();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(false);
    await page.getByRole('button', { name: 'Close' }).click();
    await call();
    await page.getByText('The arguments are no JSON object.').waitFor();
    await editor.fill('{"word":"hello","count":2}');
    expect(await areEnabled()).toEqual([true, true]);
    expect(console.hub.recordings.api.calls({})).toEqual([]);
  });

  test('a long form scrolls by itself, with the button in sight, on a screen and on a phone', async () => {
    const { page } = opened;
    await goTo(page, 'tools', 'tool', 'long');
    await page.getByLabel('field_59').waitFor();
    const button = page.getByRole('button', { name: 'Call', exact: true });
    for (const size of [
      { width: 1280, height: 800 },
      { width: 390, height: 700 },
      { width: 640, height: 400 },
    ]) {
      await page.setViewportSize(size);
      const box = (await button.boundingBox())!;
      expect(box.y + box.height).toBeLessThanOrEqual(size.height);
      expect(await findBarriers(page)).toEqual([]);
    }
  });

  test('arrow keys go through the list', async () => {
    const { page } = opened;
    await page.getByRole('searchbox').press('ArrowDown');
    const focused = () => page.evaluate('document.activeElement.textContent');
    expect(await focused()).toContain('small');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toContain('long');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'long' }).waitFor();
  });

  test.each(['', '2025-11-25'])(
    'a call runs as a task, with its progress and its question (%s)',
    async (revision) => {
      const { page, complaints } = opened;
      await goTo(page, 'tools', 'tool', 'works');
      if (revision) await page.getByLabel('Revision of the protocol').selectOption(revision);
      await page.getByRole('button', { name: 'Run as task' }).click();
      await page.getByText(/^task: (working|input)/).waitFor();
      const field = page.getByRole('region', { name: 'The tool asks you' }).getByLabel('name');
      await field.waitFor();
      await page.locator('input:focus').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.type('Ada');
      await page.keyboard.press('Enter');
      await page.getByText('Hello Ada').waitFor();
      expect(complaints).toEqual([]);
      const sent = JSON.stringify(console.hub.recordings.api.messages({}));
      expect(sent).toContain('io.modelcontextprotocol/ui');
    },
  );

  test('the bar of a task has its total', async () => {
    const { page } = opened;
    server.tools.add({
      name: 'counts',
      inputSchema: { type: 'object' },
      task: 'optional',
      handler: (_args, ctx) => {
        ctx.progress(5, 20, 'Shelf 5 of 20');
        return new Promise((resolve) => ctx.signal.addEventListener('abort', () => resolve('ended')));
      },
    });
    await goTo(page, 'tools', 'tool', 'counts');
    await page.getByRole('button', { name: 'Run as task' }).click();
    await page.getByText('Shelf 5 of 20').waitFor();
    const bar = page.getByRole('progressbar', { name: 'The task works' });
    expect([await bar.getAttribute('value'), await bar.getAttribute('max')]).toEqual(['5', '20']);
    await page.getByRole('button', { name: 'Cancel the call' }).click();
    await bar.waitFor({ state: 'detached' });
  });

  test('a call is no task because the form was refused as a task before', async () => {
    const { page } = opened;
    server.tools.add({
      name: 'either',
      inputSchema: { type: 'object', properties: { word }, required: ['word'] },
      task: 'optional',
      handler: () => 'done',
    });
    await goTo(page, 'tools', 'tool', 'either');
    await page.getByLabel('word').fill('h');
    await page.getByRole('button', { name: 'Run as task' }).click();
    await page.locator('.field-errors').first().waitFor();
    await page.getByLabel('word').fill('hello');
    await call();
    await page.getByText('ok', { exact: true }).waitFor();
    expect(await page.getByText(/^task: (working|completed)/).count()).toBe(0);
  });

  test('one click on Accept is a yes to a confirmation, and Cancel ends the question only', async () => {
    const { page, complaints } = opened;
    server.tools.add({
      name: 'delete_all',
      inputSchema: { type: 'object' },
      policies: [Confirm.entry('Delete everything?')],
      handler: () => 'All is deleted.',
    });
    await goTo(page, 'tools', 'tool', 'delete_all');
    await call();
    await page.getByText('Delete everything?').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('All is deleted.').waitFor();

    await goTo(page, 'tools', 'tool', 'works');
    await page.getByRole('button', { name: 'Run as task' }).click();
    const question = page.getByRole('region', { name: 'The tool asks you' });
    await question.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('You said cancel.').waitFor();
    await call();
    await question.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('You said cancel.').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a task is cancelled', async () => {
    const { page } = opened;
    await goTo(page, 'tools', 'tool', 'works');
    await page.getByRole('button', { name: 'Run as task' }).click();
    await page.getByRole('region', { name: 'The tool asks you' }).waitFor();
    await page.getByRole('button', { name: 'Cancel the call' }).click();
    await page.getByText('The task was cancelled.').waitFor();
  });
});
