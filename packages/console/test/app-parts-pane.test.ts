import type { McpServer, ToolContext } from '@toolwright/core';
import type { Browser, FrameLocator } from 'playwright-core';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { ConsoleUnderTest, type OpenPage } from './support/console-under-test.js';
import { smallServer } from './support/small-server.js';

/** A page that writes down what it hears of its own call and of one that it makes itself, and can cancel that one. */
const PAGE = `<!doctype html><ol id="heard"></ol><button id="start">start</button><button id="end">end</button><script>
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const write = (text) => document.getElementById('heard').append(
    Object.assign(document.createElement('li'), { textContent: text }));
  const progress = ({ message, _meta = {} }) =>
    (_meta['toolwright/task'] ?? message) + ' ' + JSON.stringify(_meta['toolwright/partial'] ?? null);
  addEventListener('message', ({ data: { id, method, params, error } }) => {
    if (id === 1) post({ method: 'ui/notifications/initialized', params: {} });
    if (method === 'toolwright/notifications/tool-progress') write('shown ' + progress(params));
    if (method === 'ui/notifications/tool-result') write('result ' + JSON.stringify(params.structuredContent));
    if (method === 'ui/notifications/tool-cancelled') write('cancelled');
    if (method === 'notifications/progress' && params.progressToken === 2) write('own ' + progress(params));
  });
  document.getElementById('start').onclick = () => post({
    id: 2, method: 'tools/call', params: { name: 'long_task', arguments: {}, _meta: { progressToken: 2 } } });
  document.getElementById('end').onclick = () =>
    post({ method: 'notifications/cancelled', params: { requestId: 2 } });
  const params = { appInfo: { name: 'p', version: '1.0.0' }, appCapabilities: {}, protocolVersion: '2026-01-26' };
  post({ id: 1, method: 'ui/initialize', params });
</script>`;

describeInChromium('a page of an MCP App, while a call runs', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;
  let frame: FrameLocator;
  let open: () => void;
  let left: () => void;

  beforeEach(async () => {
    server = await smallServer();
    server.resources.add({ name: 'page', uri: 'ui://page', ui: {}, handler: () => PAGE });
    const common = { inputSchema: { type: 'object' } as const, annotations: { readOnlyHint: true } };
    server.tools.add({
      ...common,
      name: 'stream_rows',
      ui: 'ui://page',
      outputSchema: { type: 'array', items: { type: 'integer' } },
      async *handler() {
        yield 1;
        await new Promise<void>((resolve) => (open = resolve));
        yield 2;
      },
    });
    server.tools.add({
      ...common,
      name: 'long_task',
      task: 'required',
      async handler(_args: unknown, { progress, signal }: ToolContext) {
        progress(1, 3, 'counting');
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        left();
      },
    });
    console = await ConsoleUnderTest.forTest([server]);
    opened = await console.show(browser());
    await opened.page.evaluate(`location.hash = "#/tools/tool/stream_rows"`);
    await opened.page.getByRole('button', { name: 'Call', exact: true }).click();
    frame = opened.page.frameLocator('iframe');
    await frame.getByText('shown undefined [1]').waitFor();
  });

  test('hears the parts of its result as they come, and then the result', async () => {
    open();
    await frame.getByText('result {"result":[1,2]}').or(frame.getByText('result [1,2]')).waitFor();
    expect(await frame.getByRole('listitem').allTextContents()).toEqual([
      'shown undefined [1]',
      'shown undefined [2]',
      expect.stringContaining('result'),
    ]);
    expect(opened.complaints).toEqual([]);
  });

  test('is listed with the tool that it shows', async () => {
    const { page } = opened;
    await page.getByRole('navigation', { name: 'Panes' }).getByRole('link', { name: 'Views' }).click();
    const row = page.getByRole('row', { name: /ui:\/\/page/ });
    await row.waitFor();
    expect((await row.getByRole('cell').allTextContents()).slice(1, 5)).toEqual([
      'stream_rows',
      'by hand',
      '',
      'nothing',
    ]);
    await row.getByRole('link', { name: 'stream_rows' }).click();
    await page.getByRole('heading', { level: 2, name: 'stream_rows' }).waitFor();
    open();
  });

  test('hears that its call was cancelled', async () => {
    await opened.page.getByRole('button', { name: 'Cancel' }).click();
    await frame.getByText('cancelled').waitFor();
  });

  test('follows a task that it has started, and cancels it', async () => {
    const cancelled = new Promise<void>((resolve) => (left = resolve));
    await frame.getByRole('button', { name: 'start' }).click();
    await frame.getByText('own working null').first().waitFor();
    await frame.getByRole('button', { name: 'end' }).click();
    await cancelled;
  });
});
