import { Confirm, type McpServer } from '@toolwright/core';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { calls, says, StubModel, type StubReply } from '../../chat/test/support/stub-model.js';
import type { Access, Overview } from '../src/index.js';
import { ConsoleUnderTest, type OpenPage, schemes } from './support/console-under-test.js';
import { goTo } from './support/records.js';
import { shopServer } from './support/shop-server.js';

const environment = { ...process.env };
const key = 'sk-canary-0123456789';

describeInChromium('the pane of the chat', (browser: () => Browser) => {
  let server: McpServer;
  let opened: OpenPage;

  afterEach(() => void (process.env = { ...environment }));

  /** Opens the pane. The model gives these answers; without any, no model is set. */
  async function show(
    replies: readonly StubReply[],
    access: Access[] = ['read', 'call'],
    dark = false,
  ): Promise<Page> {
    server = await shopServer();
    const erasing = { inputSchema: { type: 'object', properties: { id: { type: 'string' } } } } as const;
    const confirm = Confirm.entry(({ id }: { id: string }) => `Refund order ${id}?`);
    server.tools.add([
      {
        ...erasing,
        name: 'refund_order',
        annotations: { destructiveHint: true },
        policies: [confirm],
        handler: () => 'refunded',
      },
      { ...erasing, name: 'erase_order', handler: () => 'erased' },
    ]);
    if (replies.length > 0) {
      const model = await StubModel.start(...replies);
      Object.assign(process.env, { TOOLWRIGHT_CHAT_URL: model.url, TOOLWRIGHT_CHAT_MODEL: 'stub-1' });
      process.env['TOOLWRIGHT_CHAT_KEY'] = key;
    }
    const console = await ConsoleUnderTest.forTest([server], { access });
    opened = await console.show(browser(), { colorScheme: dark ? 'dark' : 'light' });
    return opened.page;
  }

  const send = async (text: string) => {
    await opened.page.getByLabel('Your message').fill(text);
    await opened.page.keyboard.press('Enter');
  };

  test.each(schemes)(
    'a model calls tools, and the person sees calls, tokens and time (%s)',
    async (scheme) => {
      const page = await show(
        [
          calls(['get_order', { id: 7 }], ['gett_order', {}, 'b']),
          says({ content: 'It is <b>on its way</b>.', reasoning_content: 'Order 7.' }),
        ],
        ['read', 'call'],
        scheme === 'dark',
      );
      await goTo(page, 'chat');
      await page.getByText('stub-1').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await send('Where is order 7?');
      const turn = page.getByRole('region', { name: 'Turn 1' });
      await turn.getByText('It is <b>on its way</b>.').waitFor();
      await turn.getByText(/^200 tokens in, 20 out · /).waitFor();
      const call = turn.getByRole('region', { name: 'Call of get_order' });
      await call.getByText('What came of it').click();
      await call.getByRole('link', { name: 'trace' }).waitFor();
      await turn.getByText("Did you mean 'get_order'?").waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 700 });
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await page.content()).not.toContain('canary');
      expect(opened.complaints).toEqual([]);
    },
  );

  test('what may change something waits for the person, and a confirmation is answered in place', async () => {
    const page = await show([
      calls(['erase_order', { id: 'a' }], ['refund_order', { id: 'b' }, 'r']),
      says({ content: 'I have refunded it.' }),
    ]);
    await goTo(page, 'chat');
    await send('Erase a, refund b.');
    const erase = page.getByRole('group', { name: 'May the model call erase_order?' });
    await erase.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('The person has refused this call.').waitFor();
    const question = page.getByRole('region', { name: 'The tool asks you' });
    await question.getByText('Refund order b?').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await question.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('I have refunded it.').waitFor();
    expect(await page.getByRole('button', { name: 'Save as case' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Copy as case' }).count()).toBe(1);
    await page.getByRole('button', { name: 'New chat' }).click();
    await page.getByText('Ask as a person would').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('a turn is saved, one that fails says why, and one that waits is stopped', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'chat-pane-'));
    const page = await show(
      [
        calls(['get_order', { id: 7 }]),
        says({ content: 'Here.' }),
        { json: { error: { message: `No credit for ${key}.` } }, status: 402 },
        'hang',
      ],
      ['read', 'call', 'project'],
    );
    process.env['TOOLWRIGHT_CHAT_CASES'] = join(folder, 'cases.json');
    await goTo(page, 'chat');
    await send('Where is order 7?');
    await page.getByRole('button', { name: 'Save as case' }).click();
    await page.getByText(/^One case is in .*cases\.json/).waitFor();
    expect(JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8'))).toMatchObject([
      { name: 'Where is order 7?', expect: [{ tool: 'get_order', arguments: { id: 7 } }] },
    ]);
    await send('And order 8?');
    await page.getByRole('alert').getByText('No credit for ‹key›. (TW_CHAT_REFUSED)').waitFor();
    await send('And order 9?');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('You have stopped this turn. (TW_CHAT_STOPPED)').waitFor();
    rmSync(folder, { recursive: true });
  });

  test('another caller has another chat', async () => {
    const page = await show([says({ content: 'Hello.' })]);
    await goTo(page, 'chat');
    await send('Hi!');
    await page.getByText('Hello.').waitFor();
    await page.getByTitle('As whom the console calls').click();
    await page.getByLabel('Subject').fill('ada');
    await page.getByRole('button', { name: 'Use', exact: true }).click();
    await page.getByText('Ask as a person would').waitFor();
    await page.getByText('calls tools as').getByText('ada').waitFor();
  });

  test('a server without the package shows nothing of a chat', async () => {
    const page = await show([]);
    await page.route('**/api/overview', async (route) => {
      const answer = (await (await route.fetch()).json()) as Overview;
      await route.fulfill({
        json: { ...answer, servers: answer.servers.map(({ hasChat, ...each }) => each) },
      });
    });
    await page.reload();
    await goTo(page, 'chat');
    // The address leads to the first pane.
    await page.getByRole('heading', { level: 1, name: 'Tools', exact: true }).waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Calls', exact: true }).waitFor();
    expect(await page.getByText('Chat', { exact: true }).count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  test('without a model it says what to set, and a console that calls nothing has no chat', async () => {
    const page = await show([]);
    const link = page.getByRole('navigation', { name: 'Panes' }).getByRole('link', { name: 'Chat' });
    await link.click();
    await page.getByText(/^Set TOOLWRIGHT_CHAT_URL and TOOLWRIGHT_CHAT_MODEL in/).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    const reading = await show([], ['read']);
    await reading.getByRole('link', { name: 'Tools', exact: true }).waitFor();
    expect(await reading.getByRole('link', { name: 'Chat' }).count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });
});
