import { join } from 'node:path';
import { connect } from '@toolwright/client';
import { createMcpServer, RateLimit, type McpServer } from '@toolwright/core';
import { Scheduled } from '@toolwright/schedules';
import type { Browser } from 'playwright-core';
import { silentLogger } from '@toolwright/core/ports';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import type { Access, Overview } from '../src/index.js';
import { ConsoleUnderTest, openPage, type OpenPage } from './support/console-under-test.js';

const code = {
  type: 'object',
  properties: { code: { type: 'string', pattern: '^[A-Z]+$' }, note: { type: ['string', 'null'] } },
  required: ['code'],
};

class Nightly {
  @Scheduled('0 3 1 1 *', { name: 'rebuild', timeZone: 'Europe/Vienna' }) rebuild() {}
}

describeInChromium('the panes for operators', (browser: () => Browser) => {
  let folder: string;
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;
  let finish: (() => void)[];

  beforeEach(async () => {
    finish = [];
    folder = temporaryFolder();
    const audit = { file: join(folder, 'audit.jsonl') };
    const services = [Nightly as never];
    server = await createMcpServer({ name: 'small', version: '1', services, logger: silentLogger, audit });
    server.tools.add({
      name: 'hold',
      description: 'Holds.',
      inputSchema: code,
      annotations: { readOnlyHint: true },
      policies: [RateLimit.entry({ points: 4, per: '1h' })],
      handler: () => new Promise((resolve) => finish.push(() => resolve('done'))),
    });
    server.tools.add({
      name: 'quick',
      description: 'Is quick.',
      inputSchema: { type: 'object', properties: {} },
      annotations: { readOnlyHint: true },
      handler: () => 'done',
    });
  });

  afterEach(async () => {
    finish.forEach((each) => each());
    await opened.page.context().close();
    await console.close();
    await server.close(0);
  });

  async function show(
    pane: string,
    options: { access?: Access[]; dark?: boolean; overview?: Partial<Overview> } = {},
  ) {
    const { access, dark, overview } = options;
    console = await ConsoleUnderTest.start([server], {
      ...(access && { access }),
      ...(overview && { overview }),
    });
    opened = await openPage(browser(), console.url, { colorScheme: dark ? 'dark' : 'light' });
    await opened.page.evaluate(`location.hash = "#/${pane}"`);
    return opened.page;
  }

  async function call(name: string, args: object = {}, subject = 'ann') {
    const client = await connect(server, { principal: { subject, scopes: [] } });
    const call = async () => {
      try {
        return await client.request('tools/call', { name, arguments: args });
      } finally {
        await client.close();
      }
    };
    return { answer: call() };
  }

  const clean = async () => {
    expect(await findBarriers(opened.page)).toEqual([]);
    expect(opened.complaints).toEqual([]);
  };

  test.each([[false], [true]])('the state is shown, and a call is cancelled (dark: %s)', async (dark) => {
    const { answer } = await call('hold', { code: 'A' });
    const page = await show('state', { dark });
    await page.getByRole('cell', { name: 'hold #1', exact: true }).waitFor();
    const limits = page.getByRole('region', { name: /^Rate limits/ }).first();
    expect(await limits.innerText()).toMatch(/tool hold\s+ann\s+1 of 4/);
    const schedules = page.getByRole('region', { name: /^Schedules/ }).first();
    expect(await schedules.innerText()).toMatch(/rebuild\s+0 3 1 1 \*\s+Europe\/Vienna\s+in \d+ (d|h|min)/);
    await clean();
    const cancel = page.getByRole('button', { name: 'Cancel hold #1' });
    await cancel.focus();
    await page.keyboard.press('Enter');
    expect(JSON.stringify(await answer)).toContain('An operator of this server ended the call of hold.');
    await page.getByText('abandoned', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Reset tool hold, ann' }).click();
    await limits.getByText('None.').waitFor();
    await clean();
  });

  test.each([[false], [true]])(
    'an app whose newest version fails is told in every pane (dark: %s)',
    async (dark) => {
      const overview = { failure: 'Error: out of ink\n    at tools.ts:3:1' };
      const page = await show('tools', { dark, overview });
      const heard = page.getByRole('alert', { name: 'The app has failed' });
      expect(await heard.innerText()).toMatch(/last good version runs\.\s+Error: out of ink/);
      await clean();
    },
  );

  test('a console that may only read has no buttons', async () => {
    await call('hold', { code: 'A' });
    const page = await show('state', { access: ['read'] });
    await page.getByRole('cell', { name: 'hold #1', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /Cancel|Reset|End/ }).count()).toBe(0);
    const refused = await page.evaluate(() =>
      fetch('api/cancelRunningCall', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ server: 'small', number: 1 }),
      }).then(({ status }) => status),
    );
    expect(refused).toBe(400);
  });

  test.each([[false], [true]])('a tool is explained (dark: %s)', async (dark) => {
    const page = await show('explain/hold', { dark });
    await page.getByRole('heading', { name: 'The chain of a call, outermost first' }).waitFor();
    const steps = await page.locator('.chain li strong').allInnerTexts();
    expect(steps).toEqual([...server.explain('hold')!.steps.map(({ name }) => name), 'the method']);
    const differences = page.getByRole('list', {
      name: 'Differences between the natural and the published input',
    });
    expect(await differences.innerText()).toContain('/properties/note/anyOf');
    expect(await page.getByRole('row', { name: /@pattern/ }).innerText()).toMatch(/kept.*weakened/s);
    await clean();
    await page.getByRole('link', { name: 'quick' }).click();
    await page.getByText('All tested client libraries keep this schema as it is.').waitFor();
    await clean();
  });

  test.each([[false], [true]])('the log is shown live, searched and verified (dark: %s)', async (dark) => {
    await (
      await call('quick')
    ).answer;
    const page = await show('audit', { dark });
    await page.getByRole('button', { name: 'quick' }).waitFor();
    await page.getByRole('button', { name: 'quick' }).click();
    await page.getByRole('group', { name: /^Record 1/ }).waitFor();
    await page.getByLabel('subject').fill('bob');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('No record is like this.').waitFor();
    await page.getByRole('button', { name: 'Verify every byte' }).click();
    await page.getByText(/Consistent: nothing contradicts itself/).waitFor();
    const head = page.getByRole('list', { name: 'The chain of writer 1' }).getByRole('listitem').first();
    expect(await head.innerText()).toMatch(/Head: batch \d+/);
    await clean();
  });

  test('what hides in the names of people is written out in the log, and in a record that is open', async () => {
    const codes = ['e0100', 'ad', '2064', '200b', '202e', 'e0041', '1b'];
    const hiding = codes.map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
    await (
      await call('quick', {}, `ann${hiding.join('.')}`)
    ).answer;
    const page = await show('audit');
    await page.getByRole('cell', { name: codes.map((code) => `\\u{${code}}`).join('.') }).waitFor();
    await page.getByRole('button', { name: 'quick' }).click();
    await page.getByRole('group', { name: /^Record 1/ }).waitFor();
    const text = await page.locator('body').innerText();
    expect(codes.filter((_code, at) => text.includes(hiding[at]!))).toEqual([]);
    await clean();
  });

  test('a record comes while one looks', async () => {
    const page = await show('audit');
    await page.getByText('No record is like this.').waitFor();
    await (
      await call('quick')
    ).answer;
    await page.getByRole('button', { name: 'quick' }).waitFor();
    await clean();
  });
});
