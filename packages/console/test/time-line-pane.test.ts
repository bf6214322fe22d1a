import { connect } from '@toolwright/client';
import { createMcpServer, type McpServer } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import type { RecordedSpan } from '../src/api/record-api.js';
import { ConsoleUnderTest, type OpenPage } from './support/console-under-test.js';
import { goTo } from './support/records.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describeInChromium('the time line of a call', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;

  beforeEach(async () => {
    server = await createMcpServer({ name: 'example', version: '1.0.0', services: [], audit: false });
    server.tools.add({ name: 'greet', inputSchema: { type: 'object' }, handler: () => 'Hello.' });
    console = await ConsoleUnderTest.forTest([server]);
    opened = await console.show(browser());
    await goTo(opened.page, 'calls');
    const client = await connect(server);
    const _meta = { traceparent: `00-${TRACE}-${SPAN}-01` };
    await client.request('tools/call', { name: 'greet', _meta });
    await client.close();
    await opened.page.getByRole('gridcell', { name: 'greet' }).click();
  });

  test('spans come while it is open: those of the call, in the order of time, also hostile ones', async () => {
    const { page } = opened;
    await page.getByText('OpenTelemetry has sent nothing of this call.').waitFor();
    console.hub.takeSpans([
      spanOf('tools/call greet', SPAN, {
        parentSpanId: '1'.repeat(16),
        attributes: { 'mcp.method.name': 'tools/call' },
      }),
      spanOf('GET', 'c'.repeat(16), {
        startMs: 30,
        attributes: { 'http.request.method': 'GET', 'url.full': 'http://api.example/x' },
      }),
      spanOf('select', 'b'.repeat(16), { failed: true, attributes: { 'db.query.text': 'select  1' } }),
      spanOf('of another call', 'd'.repeat(16), { parentSpanId: '2'.repeat(16) }),
      // These two are parents of each other.
      spanOf('round', 'e'.repeat(16), { parentSpanId: 'f'.repeat(16) }),
      spanOf('about', 'f'.repeat(16), { parentSpanId: 'e'.repeat(16) }),
    ]);
    const line = page.getByRole('list', { name: /^Time line of / });
    await line.getByText('select 1', { exact: true }).waitFor();
    const names = await line.locator('.waterfall-name').allInnerTexts();
    expect(names.map((name) => name.replace(/\s+/g, ' ').trim())).toEqual([
      'request tools/call greet',
      ...['errors', 'rate limit', 'validate', 'deadline', 'concurrency', 'output'].map(
        (each) => `${each} passed`,
      ),
      'method answered',
      'query select failed',
      'HTTP GET',
    ]);
    await line.getByText('GET http://api.example/x').click();
    await page.getByRole('group', { name: 'Attributes of GET' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  test('the keyboard goes from step to step and opens one, also on a phone', async () => {
    const { page } = opened;
    console.hub.takeSpans([
      spanOf(`a query with a long name ${'x'.repeat(200)}`, 'b'.repeat(16), {
        attributes: { 'db.query.text': `select ${'y, '.repeat(300)}` },
      }),
    ]);
    const line = page.getByRole('list', { name: /^Time line of / });
    await line.getByText('a query with').waitFor();
    await page.setViewportSize({ width: 390, height: 700 });
    await line.locator('summary').first().focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: /^Attributes of a query/ }).waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
    await line.getByText('With all inside it').first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const bar = (await line.locator('.bar').first().boundingBox())!;
    expect(bar.width).toBeGreaterThan(250);
  });
});

function spanOf(name: string, spanId: string, members: Partial<RecordedSpan>): RecordedSpan {
  return {
    traceId: TRACE,
    spanId,
    parentSpanId: SPAN,
    name,
    kind: 'client',
    startMs: 10,
    endMs: 60,
    failed: false,
    attributes: {},
    ...members,
  };
}
