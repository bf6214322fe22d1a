import { readFileSync } from 'node:fs';
import { connect } from '@toolwright/client';
import {
  createMcpServer,
  RateLimit,
  RequireScopes,
  Timeout,
  ToolError,
  type McpServer,
} from '@toolwright/core';
import { readRecording, replay } from '@toolwright/replay';
import type { Browser } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { ConsoleUnderTest, type OpenPage, schemes } from './support/console-under-test.js';
import { goTo, rowTexts } from './support/records.js';

interface Har {
  readonly version: string;
  readonly entries: readonly {
    readonly startedDateTime: string;
    readonly timings: { readonly wait: number };
    readonly request: { readonly postData: { readonly text: string } };
    readonly response: { readonly content: { readonly text: string } };
  }[];
}

describeInChromium('the pane of calls', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;
  let release: (text: string) => void;

  beforeEach(async () => {
    server = await createMcpServer({ name: 'example', version: '1.0.0', services: [], audit: false });
    server.tools.add({
      name: 'greet',
      description: 'Greets.',
      inputSchema: {
        type: 'object',
        properties: { who: { type: 'string' }, pin: { type: 'string', format: 'password' } },
        required: ['who'],
      },
      handler: ({ who }) => `Hello ${String(who)}.`,
    });
    server.tools.add({
      name: 'wait',
      description: 'Waits.',
      handler: () => new Promise<string>((resolve) => (release = resolve)),
    });
    server.tools.add({
      name: 'fail',
      description: 'Fails.',
      handler: () => {
        throw new ToolError('Not today.');
      },
    });
    console = await ConsoleUnderTest.forTest([server]);
    opened = await console.show(browser());
    await goTo(opened.page, 'calls');
  });

  const callAs = async (name: string, tool: string, args: Record<string, unknown>) => {
    const client = await connect(server, { clientInfo: { name, version: '1.0.0' } });
    const params = { name: tool, arguments: args };
    try {
      await client.request('tools/call', params);
    } finally {
      await client.close();
    }
  };

  test('a row names its caller, its messages stand beside it, and all are saved as HAR', async () => {
    const { page, complaints } = opened;
    const client = await connect(server, { principal: { subject: 'ada', scopes: [] } });
    await client.call('greet', { who: 'Bob' });
    await client.close();
    await callAs('host', 'greet', { who: 'Eve' });
    await page.locator('.records-body [role=row]').nth(1).waitFor();
    const [newest, oldest] = await rowTexts(page);
    expect([newest, oldest]).toEqual([
      expect.stringContaining('anonymous') as string,
      expect.stringContaining('ada') as string,
    ]);
    await page.getByText(/^median .*, p95 /).waitFor();
    await page.getByLabel('Caller').selectOption('ada');
    await page.locator('.records-body [role=row]').click();
    const messages = page.getByRole('list', { name: 'Messages of this call' });
    await messages.getByRole('listitem').nth(1).waitFor();
    const said = await messages.getByRole('listitem').allInnerTexts();
    expect(said).toEqual([
      expect.stringMatching(/from the client\s+request\s+tools\/call/) as string,
      expect.stringMatching(/from the server\s+result\s+tools\/call/) as string,
    ]);
    expect(await findBarriers(page)).toEqual([]);

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as HAR' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('calls.har');
    const { log } = JSON.parse(readFileSync(await file.path(), 'utf8')) as { log: Har };
    expect([log.version, log.entries.length]).toEqual(['1.2', 1]);
    const [{ request, response, startedDateTime, timings }] = log.entries as [Har['entries'][0]];
    expect(JSON.parse(request.postData.text)).toMatchObject({
      method: 'tools/call',
      params: { name: 'greet', arguments: { who: 'Bob' } },
    });
    expect(JSON.parse(response.content.text)).toMatchObject({ jsonrpc: '2.0', result: {} });
    expect(Date.parse(startedDateTime)).toBeGreaterThan(0);
    expect(timings.wait).toBeGreaterThan(0);

    const recorded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as recording' }).click();
    const recording = await readRecording(await (await recorded).path());
    expect((await recorded).suggestedFilename()).toBe('example.recording.jsonl');
    const { counts, differing, uncompared } = await replay(recording, {
      all: true,
      open: ({ caller, client: options }) =>
        connect(server, { ...options, principal: { subject: caller!.subject, scopes: [] } }),
    });
    // The page got the result without what is sensitive in it, so nobody can say that it is the same.
    expect({ counts, differing, uncompared }).toEqual({
      counts: { calls: 1, replayed: 1, same: 0 },
      differing: [],
      uncompared: 1,
    });
    expect(complaints).toEqual([]);
  });

  test('a refusal is one sentence that says who, what, why, and what to do', async () => {
    const { page } = opened;
    server.tools.add({
      name: 'close_books',
      inputSchema: { type: 'object' },
      policies: [RequireScopes.entry('books:close')],
      handler: () => 'closed',
    });
    const client = await connect(server, { principal: { subject: 'ada', scopes: [] } });
    await client.call('close_books').catch(() => undefined);
    await client.call('greet', {}).catch(() => undefined);
    await client.close();
    await page.locator('.records-body [role=row]').nth(1).waitFor();
    await page.getByRole('gridcell', { name: 'close_books' }).click();
    const refusal = page.getByRole('region', { name: 'Why it was refused' });
    expect(await refusal.innerText()).toMatch(
      /^ada may not use "close_books"[^]*books:close[^]*What to do: Give/,
    );
    expect(await findBarriers(page)).toEqual([]);
    await page.locator('.records-body [role=row]').first().click();
    await refusal.getByText('do not fit its schema').waitFor();
  });

  test('a used-up limit and a timeout are one sentence each, with what to do', async () => {
    const { page } = opened;
    server.tools.add({
      name: 'limited',
      policies: [RateLimit.entry({ points: 1, per: '1h' })],
      handler: () => 'once',
    });
    server.tools.add({
      name: 'slow',
      policies: [Timeout.entry('50ms')],
      handler: () => new Promise<string>((resolve) => (release = resolve)),
    });
    await callAs('host', 'limited', {});
    await callAs('host', 'limited', {}).catch(() => undefined);
    await callAs('host', 'slow', {}).catch(() => undefined);
    release('too late');
    const refusal = page.getByRole('region', { name: 'Why it was refused' });
    await page.getByRole('gridcell', { name: 'timeout' }).click();
    await refusal.getByText('"slow" took longer than it may').waitFor();
    expect(await refusal.innerText()).toMatch(/What to do: Look below at the time of each step/);
    await page.getByRole('gridcell', { name: 'limited' }).first().click();
    await refusal.getByText('has used up a limit of "limited"').waitFor();
    expect(await refusal.innerText()).toMatch(/What to do: Wait until the limit is over/);
  });

  test('a running call says how long it runs already', async () => {
    const { page } = opened;
    const call = callAs('agent', 'wait', {});
    const row = page.locator('.records-body [role=row]').filter({ hasText: 'running' });
    await row.waitFor();
    const first = /\d+(\.\d+)? (ms|s)/.exec(await row.innerText())![0];
    await row.filter({ hasNotText: first }).waitFor();
    expect(await row.innerText()).toMatch(/\d (ms|s)/);
    release('done');
    await call;
    await page.getByRole('gridcell', { name: 'ok' }).waitFor();
  });

  test('arrow keys make the open call wider, and the page remembers it', async () => {
    const { page } = opened;
    await callAs('host', 'greet', { who: 'Eve' });
    await page.locator('.records-body [role=row]').first().click();
    const line = page.getByRole('separator', { name: 'Width of the open call' });
    const width = async () =>
      (await page.getByRole('region', { name: 'Call', exact: true }).boundingBox())!.width;
    const before = await width();
    await line.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    const wide = await width();
    expect(wide - before).toBeGreaterThan(40);
    await page.reload();
    await page.getByRole('heading', { name: 'greet' }).waitFor();
    expect(Math.round(await width())).toBe(Math.round(wide));
    const box = (await line.boundingBox())!;
    await page.mouse.move(box.x + 3, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 103, box.y + 100, { steps: 3 });
    await page.mouse.up();
    expect(await width()).toBeLessThan(wide - 80);
    await line.dblclick();
    expect(Math.round(await width())).toBe(Math.round(before));
  });

  test.each([
    ['a phone', { width: 390, height: 700 }],
    ['200 % zoom', { width: 640, height: 400 }],
  ])('more than half of the screen has calls: %s', async (_, size) => {
    const { page } = opened;
    for (let count = 0; count < 30; count++) await callAs('host', 'greet', { who: 'Eve' });
    await page.setViewportSize(size);
    const list = (await page.getByRole('grid', { name: 'Calls' }).boundingBox())!;
    expect(Math.min(list.height, size.height - list.y)).toBeGreaterThan(size.height / 2);
    await page.locator('.records-body [role=row]').first().click();
    const call = (await page.getByRole('region', { name: 'Call', exact: true }).boundingBox())!;
    expect(Math.min(call.height, size.height - call.y)).toBeGreaterThan(size.height / 2);
    expect(await findBarriers(page)).toEqual([]);
    await goTo(page, 'tools');
    await page.getByRole('link', { name: 'greet' }).click();
    await page.getByRole('textbox', { name: 'who' }).waitFor();
    const form = (await page.getByRole('region', { name: /^Chosen in the list/ }).boundingBox())!;
    expect(Math.min(form.height, size.height - form.y)).toBeGreaterThan(size.height / 2);
    await page.getByRole('link', { name: /^← / }).click();
    await page.getByRole('link', { name: 'wait' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  test('a call appears when it begins, and its row says how it has ended', async () => {
    const { page, complaints } = opened;
    await page.getByText('No calls yet').waitFor();
    const call = callAs('agent', 'wait', {});
    await page.getByRole('gridcell', { name: 'running' }).waitFor();
    release('done');
    await call;
    await page.getByRole('gridcell', { name: 'ok' }).waitFor();
    const rows = await rowTexts(page);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatch(/ok.*wait.*agent/s);
    expect(complaints).toEqual([]);
  });

  test('a trace has each guard with its verdict, the method last, and the arguments without secrets', async () => {
    const { page } = opened;
    await callAs('agent', 'greet', { who: 'Ada', pin: 'her-secret-pin' });
    await page.getByRole('gridcell', { name: 'greet' }).click();
    const steps = page.getByRole('list', { name: /^Time line of / }).getByRole('listitem');
    await steps.filter({ hasText: 'validate' }).getByText('passed').waitFor();
    const last = steps.last();
    expect(await last.innerText()).toMatch(/method.*answered/s);
    expect(await last.innerText()).toMatch(/\d (µs|ms)/);
    const args = page.getByRole('group', { name: 'Arguments' });
    expect(await args.innerText()).toMatch(/"who": "Ada"[^]*"pin": \[sensitive\]/);
    expect(await page.content()).not.toContain('her-secret-pin');
  });

  test('the step that refuses a call is the last one, and says so', async () => {
    const { page } = opened;
    await callAs('agent', 'greet', { who: 7 });
    await page.getByRole('gridcell', { name: 'invalid' }).click();
    const last = page
      .getByRole('list', { name: /^Time line of / })
      .getByRole('listitem')
      .last();
    expect(await last.innerText()).toMatch(/validate.*refused/s);
    await page.getByText('TW_INVALID_ARGUMENTS', { exact: true }).waitFor();
  });

  test('filters and the search leave the calls that fit', async () => {
    const { page } = opened;
    await callAs('first', 'greet', { who: 'Ada' });
    await callAs('second', 'greet', { who: 'Alan' });
    await callAs('second', 'fail', {});
    await page.getByText('3 of 3').waitFor();
    await page.getByLabel('Name', { exact: true }).selectOption('greet');
    await page.getByText('2 of 3').waitFor();
    await page.getByLabel('Client').selectOption('second');
    await page.getByText('1 of 3').waitFor();
    expect(await rowTexts(page)).toEqual([expect.stringMatching(/greet.*second/s)]);
    await page.getByLabel('Name', { exact: true }).selectOption('');
    await page.getByLabel('Outcome').selectOption('error');
    await page.getByText('1 of 3').waitFor();
    await page.getByLabel('Outcome').selectOption('');
    await page.getByLabel('Client').selectOption('');
    await page.keyboard.press('/');
    await page.getByLabel('Search calls').fill('ada');
    await page.getByText('1 of 3').waitFor();
    expect(await rowTexts(page)).toEqual([expect.stringMatching(/greet.*first/s)]);
  });

  test('the keyboard goes from call to call, closes one, and replays one with its arguments', async () => {
    const { page } = opened;
    for (const who of ['Ada', 'Alan', 'Grace']) await callAs('agent', 'greet', { who });
    await page.getByText('3 of 3').waitFor();
    await page.getByRole('grid', { name: 'Calls' }).focus();
    const args = page.getByRole('group', { name: 'Arguments' });
    for (const [key, who] of Object.entries({ ArrowDown: 'Grace', End: 'Ada', ArrowUp: 'Alan' })) {
      await page.keyboard.press(key);
      await args.getByText(`"${who}"`).waitFor();
    }
    await page.keyboard.press('Escape');
    await args.waitFor({ state: 'detached' });
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: 'Replay' }).press('Enter');
    await page.getByLabel('who *').waitFor();
    expect(await page.getByLabel('who *').inputValue()).toBe('Grace');
  });

  test('a call whose app has ended is told as lost', async () => {
    const { page } = opened;
    const call = callAs('agent', 'wait', {});
    await page.getByRole('gridcell', { name: 'running' }).waitFor();
    console.hub.recordings.nextRun();
    await callAs('agent', 'greet', { who: 'Ada' });
    await page.getByRole('gridcell', { name: 'lost' }).waitFor();
    release('');
    await call;
  });

  test.each(schemes)('there are no barriers, nor on a phone (%s)', async (colorScheme) => {
    await callAs('agent', 'greet', { who: 'Ada' });
    await callAs('agent', 'fail', {});
    const { page, complaints } = await console.show(browser(), { colorScheme });
    await goTo(page, 'calls');
    await page.getByText('2 of 2').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('gridcell', { name: 'fail' }).click();
    await page.getByRole('button', { name: 'Replay' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 380, height: 700 });
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(380);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
