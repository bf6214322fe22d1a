import { createMcpServer, type McpServer } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { silentLogger } from '@toolwright/core/ports';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { completionsAt } from '../web/src/panes/tools/form/program-names.js';
import { ConsoleUnderTest, type OpenPage } from './support/console-under-test.js';
import { goTo } from './support/records.js';

describeInChromium('programs in the console', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;

  beforeEach(async () => {
    server = await createMcpServer({
      name: 'shop',
      version: '1.0.0',
      services: [],
      audit: false,
      logger: silentLogger,
      codeMode: { calls: 9 },
    });
    const open = { type: 'object' } as const;
    server.tools.add([
      {
        name: 'find_orders',
        description: 'Find orders.',
        annotations: { readOnlyHint: true },
        inputSchema: { type: 'object', properties: { state: { type: 'string' } } },
        outputSchema: { type: 'object', properties: { orders: { type: 'array' } } },
        handler: () => ({ orders: [{ id: 1 }, { id: 2 }] }),
      },
      { name: 'say-it', description: 'Say it.', inputSchema: open, handler: () => 'said' },
      {
        name: 'choose_colour',
        description: 'Choose a colour.',
        inputSchema: open,
        async handler(_args, ctx) {
          const { action, content } = await ctx.elicit('colour', {
            message: 'Which colour?',
            schema: { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] },
          });
          return action === 'accept' ? String(content?.['colour']) : 'none';
        },
      },
    ]);
    console = await ConsoleUnderTest.forTest([server]);
    opened = await console.show(browser());
    await goTo(opened.page, 'tools', 'tool', 'run_code');
  });

  const program = () => opened.page.getByRole('textbox', { name: 'Program' });
  const run = () => opened.page.getByRole('button', { name: 'Call', exact: true }).click();

  test('a program is written with the names of tools, and run', async () => {
    const { page, complaints } = opened;
    await page.getByText('3 tools may be called, at most 9 times.').waitFor();
    await program().pressSequentially('const { orders } = await tools.ord');
    const fits = page.getByRole('group', { name: 'Tools that fit' });
    expect(await fits.getByRole('button').allInnerTexts()).toEqual(['find_orders']);
    await program().press('Tab');
    await page.keyboard.press('Enter');
    await program().pressSequentially('{}); return orders.length + await tools.say');
    await fits.getByRole('button', { name: 'say-it' }).click();
    await program().pressSequentially('{})');
    expect(await program().inputValue()).toBe(
      'const { orders } = await tools.find_orders({}); return orders.length + await tools["say-it"]({})',
    );
    expect(await findBarriers(page)).toEqual([]);
    await run();
    await page.getByText('ok', { exact: true }).waitFor();
    expect(await page.getByRole('group', { name: 'Structured content' }).innerText()).toContain('2said');
    await page.setViewportSize({ width: 390, height: 700 });
    expect(await findBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('its calls are in its time line, each with a time line of its own', async () => {
    const { page } = opened;
    await program().fill('await tools.find_orders({ state: "open" }); await tools["say-it"]({}); return 1');
    await run();
    await page.getByText('ok', { exact: true }).waitFor();
    await goTo(page, 'calls');
    await page.getByRole('gridcell', { name: 'run_code' }).click();
    const line = page.getByRole('list', { name: /^Time line of / });
    await line.getByText('calls say-it').waitFor();
    const names = (await line.locator('.waterfall-name').allInnerTexts()).map((name) =>
      name.replace(/\s+/g, ' ').trim(),
    );
    expect(names.slice(-2)).toEqual(['calls find_orders ok', 'calls say-it ok']);
    await line.getByText('calls find_orders').click();
    await page.getByRole('group', { name: 'Arguments of find_orders' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await line.getByRole('link', { name: 'its own time line' }).first().click();
    await page.getByRole('heading', { name: 'find_orders', level: 2 }).waitFor();
  });

  test('a question in the middle of it is asked in the console, and the time line says which call asks', async () => {
    const { page } = opened;
    await program().fill('return await tools.choose_colour({})');
    await run();
    await page.getByRole('textbox', { name: 'colour' }).fill('blue');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('ok', { exact: true }).waitFor();
    expect(await page.getByRole('group', { name: 'Structured content' }).innerText()).toContain('blue');
    await goTo(page, 'calls');
    await page.getByRole('gridcell', { name: 'run_code' }).last().click();
    const line = page.getByRole('list', { name: /^Time line of / });
    await line.getByText('calls choose_colour').waitFor();
    expect(await line.locator('li').last().innerText()).toContain('asking');
  });

  test('its code and its log are shown where they may be seen, and their digests elsewhere', async () => {
    const { page } = opened;
    await program().fill('return 1');
    await run();
    await page.getByText('ok', { exact: true }).waitFor();
    await goTo(page, 'calls');
    await page.getByRole('gridcell', { name: 'run_code' }).click();
    const recorded = (await console.hub.recordings.api.calls({})).at(-1)!.record;
    const digest = 'ab'.repeat(32);
    const show = (shown: object) =>
      console.hub.hear({
        type: 'call',
        call: { seq: 0, record: { ...recorded, program: { digest, ...shown } } },
      });
    show({ code: 'return 1', log: { text: 'a line' }, result: { text: '1' } });
    const region = page.getByRole('region', { name: 'Program', exact: true });
    await region.getByText('a line').waitFor();
    expect(await region.innerText()).toContain('return 1');
    expect(await findBarriers(page)).toEqual([]);
    show({ log: { digest: 'cd'.repeat(32), bytes: 6 } });
    await region.getByText(digest).waitFor();
    expect(await region.innerText()).toContain('6 bytes');
    expect(await region.innerText()).not.toContain('return 1');
  });
});

test.each([
  ['await tools.', ['find_orders', 'say-it'], 11],
  ['tools.it', ['say-it'], 5],
  ["tools['fi", ['find_orders'], 5],
  ['mytools.fi', [], 0],
  ['tools.find_orders(', [], 0],
])('%s is completed', (before, expected, from) => {
  const found = completionsAt(before, ['find_orders', 'say-it']);
  expect(found.map(({ name }) => name)).toEqual(expected);
  for (const each of found) expect(each.from).toBe(from);
});
