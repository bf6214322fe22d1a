import { readFileSync } from 'node:fs';
import { connect } from '@toolwright/client';
import { createMcpServer, type McpServer } from '@toolwright/core';
import type { Revision } from '@toolwright/core/transport';
import type { Browser } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import type { RecordedMessage } from '../src/api/record-api.js';
import { ConsoleUnderTest, type OpenPage, schemes } from './support/console-under-test.js';
import { goTo, rowTexts } from './support/records.js';

describeInChromium('the pane of traffic', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;

  beforeEach(async () => {
    server = await createMcpServer({ name: 'example', version: '1.0.0', services: [], audit: false });
    server.tools.add({
      name: 'greet',
      description: 'Greets.',
      inputSchema: {
        type: 'object',
        properties: { who: { type: 'string' }, pin: { type: 'string', format: 'password' } },
      },
      handler: () => 'Hello.',
    });
    console = await ConsoleUnderTest.forTest([server]);
    opened = await console.show(browser());
    await goTo(opened.page, 'traffic');
  });

  const talk = async (name: string, revision: Revision, tool = 'greet') => {
    const client = await connect(server, { clientInfo: { name, version: '1.0.0' }, revision });
    const params = { name: tool, arguments: { who: 'Ada', pin: 'her-secret-pin' } };
    await client.request('tools/call', params).catch(() => undefined);
    await client.close();
  };
  const observed = (message: unknown, members: Partial<RecordedMessage> = {}): RecordedMessage => ({
    number: 1,
    at: Date.now(),
    direction: 'received',
    transport: 'stdio',
    channel: 'pipe',
    principal: undefined,
    client: { name: 'local-host', version: '2.0.0' },
    message,
    server: 'example',
    run: 0,
    ...members,
  });
  const hear = (message: unknown, members: Partial<RecordedMessage> = {}) =>
    console.hub.hear({ type: 'message', message: { seq: 0, record: observed(message, members) } });

  test('messages of both eras and of stdio appear, each answer with its request', async () => {
    const { page, complaints } = opened;
    await page.getByText('No messages yet').waitFor();
    await talk('modern', '2026-07-28');
    await talk('older', '2025-06-18');
    hear({ jsonrpc: '2.0', id: 'x', method: 'ping' });
    hear({ jsonrpc: '2.0', id: 'x', result: {} }, { direction: 'sent' });
    await page.getByRole('gridcell', { name: 'ping' }).first().waitFor();
    const rows = await rowTexts(page);
    expect(rows[0]).toMatch(/result\s+ping\s+"x"\s+(< 1|\d)[^]*ms\s+local-host/);
    expect(rows.join('\n')).toMatch(/request\s+initialize\s+2025-06-18/);
    expect(rows.join('\n')).toMatch(/result\s+tools\/call\s+greet[^]*modern/);
    await page.locator('.records-body [role=row]').first().click();
    await page.getByText('Its request').waitFor();
    await page.getByRole('link', { name: 'open' }).click();
    await page.getByText('Its answer').waitFor();
    expect(complaints).toEqual([]);
  });

  test('what hides in the names and texts of others is written out, in lists and in messages', async () => {
    const { page, complaints } = opened;
    const hiding = ['\u{e0100}', '\u00ad', '\u2064', '\u200b', '\u202e', '\u{e0041}'];
    const shown = hiding.map((each) => `a\\u{${each.codePointAt(0)!.toString(16)}}b`);
    for (const each of hiding) await talk(`a${each}b`, '2026-07-28');
    await page
      .getByRole('gridcell', { name: shown.at(-1)! })
      .first()
      .waitFor();
    const rows = (await rowTexts(page)).join('\n');
    for (const each of shown) expect(rows).toContain(each);
    hear({ jsonrpc: '2.0', method: 'notifications/x', params: { [hiding.join('.')]: hiding.join('.') } });
    await page.getByRole('gridcell', { name: 'notifications/x' }).first().click();
    await page.locator('.json').first().waitFor();
    const body = await page.locator('body').innerText();
    expect(hiding.filter((each) => body.includes(each))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('what is marked sensitive is hidden, and the page says so', async () => {
    const { page } = opened;
    await talk('modern', '2026-07-28');
    await page.getByLabel('Method').selectOption('tools/call');
    await page.getByRole('gridcell', { name: 'request' }).click();
    await page.getByText('One value is marked sensitive or sealed.').waitFor();
    const message = page.getByRole('group', { name: 'The message', exact: true });
    expect(await message.innerText()).toMatch(/"who": "Ada"[^]*"pin": \[sensitive\]/);
    expect(await page.content()).not.toContain('her-secret-pin');
  });

  test('filters keep request and answer together', async () => {
    const { page } = opened;
    await talk('first', '2026-07-28');
    await talk('second', '2026-07-28', 'unknown');
    await page.getByLabel('Method').selectOption('tools/call');
    await page.getByText(/^4 of/).waitFor();
    await page.getByLabel('Client').selectOption('second');
    await page.getByText(/^2 of/).waitFor();
    await page.getByLabel('Client').selectOption('');
    await page.getByRole('button', { name: 'Errors' }).click();
    await page.getByText(/^2 of/).waitFor();
    expect(await rowTexts(page)).toEqual([
      expect.stringMatching(/error\s+tools\/call\s+-32602/),
      expect.stringMatching(/request\s+tools\/call\s+unknown/),
    ]);
    await page.getByLabel('Direction').selectOption('sent');
    await page.getByText(/^1 of/).waitFor();
  });

  test('a pause holds the list, and tells how many have come since', async () => {
    const { page } = opened;
    hear({ jsonrpc: '2.0', method: 'first' });
    await page.getByText('1 of 1').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    hear({ jsonrpc: '2.0', method: 'second' });
    await page.getByText('1 of 1, 1 newer').waitFor();
    expect(await rowTexts(page)).toEqual([expect.stringContaining('first')]);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('2 of 2').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('No messages yet').waitFor();
    expect(console.hub.recordings.api.messages({})).toEqual([]);
  });

  test('the messages that are shown are exported as JSON lines, oldest first', async () => {
    const { page } = opened;
    hear({ jsonrpc: '2.0', method: 'one' });
    hear({ jsonrpc: '2.0', method: 'two' });
    hear({ jsonrpc: '2.0', method: 'other' }, { direction: 'sent' });
    await page.getByLabel('Direction').selectOption('received');
    await page.getByText('2 of 3').waitFor();
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const file = await waiting;
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n');
    expect(file.suggestedFilename()).toBe('traffic.jsonl');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { seq: 1, transport: 'stdio', message: { method: 'one' } },
      { seq: 2, message: { method: 'two' } },
    ]);
  });

  test('a flood leaves the page usable: few rows are drawn, and the one that is looked at stays', async () => {
    const { page, complaints } = opened;
    for (let id = 0; id < 200; id++) hear({ jsonrpc: '2.0', id, method: `early/${id}` });
    await page.getByText('200 of 200').waitFor();
    await page.getByRole('grid').evaluate('document.querySelector(".records").scrollTop = 1500');
    const seen = page.getByRole('gridcell', { name: 'early/145', exact: true });
    await seen.waitFor();
    const place = async () => (await seen.boundingBox())!.y - (await page.getByRole('grid').boundingBox())!.y;
    const before = await place();
    for (let id = 200; id < 3_200; id++) hear({ jsonrpc: '2.0', id, method: `late/${id}` });
    await page.getByText('3,200 of 3,200').waitFor();
    expect(await place()).toBe(before);
    expect(await page.locator('[role=row]').count()).toBeLessThan(100);
    await page.getByLabel('Search messages').fill('late/3199');
    await page.getByText('1 of 3,200').waitFor();
    expect(complaints).toEqual([]);
  });

  test('what is no JSON-RPC is shown, too, and does not break the page', async () => {
    const { page, complaints } = opened;
    const odd = [null, 7, 'text', [], [{ id: 1 }], { id: {} }, { error: 'x', id: 1 }, { method: 7 }];
    odd.forEach((message) => hear(message));
    hear({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: '<img src=x onerror=alert(1)>' } });
    await page.getByText('9 of 9').waitFor();
    for (const row of await page.locator('.records-body [role=row]').all()) await row.click();
    expect(complaints).toEqual([]);
  });

  test.each(schemes)('there are no barriers, nor on a phone (%s)', async (colorScheme) => {
    await talk('modern', '2026-07-28');
    const { page, complaints } = await console.show(browser(), { colorScheme });
    await goTo(page, 'traffic');
    await page.getByRole('gridcell', { name: 'tools/call' }).first().click();
    await page.getByText('Its request').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 380, height: 700 });
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(380);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
