import type { McpServer } from '@toolwright/core';
import type { Browser, FrameLocator } from 'playwright-core';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { ConsoleUnderTest, type OpenPage } from './support/console-under-test.js';
import { smallServer } from './support/small-server.js';

/** A page that counts clicks, keeps the number as its dialect does, and says what it was given. */
const page = (
  version: string,
) => `<!doctype html><h1>${version}</h1><button id="add"></button><p id="said"></p><script>
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const { openai } = window;
  const add = document.getElementById('add');
  let count = Number(openai ? openai.widgetState?.count ?? 0 : window.name.replace('count ', '')) || 0;
  const draw = () => (add.textContent = 'clicked ' + count);
  add.onclick = () => {
    count++;
    draw();
    if (openai) void openai.setWidgetState({ count });
    else window.name = 'count ' + count;
  };
  draw();
  const say = (city, by) => (document.getElementById('said').textContent = city + ' by ' + by);
  if (openai) say(openai.toolOutput.city, 'window.openai');
  addEventListener('message', ({ data }) => {
    if (data.id === 1) post({ method: 'ui/notifications/initialized', params: {} });
    if (data.method === 'ui/notifications/tool-result' && !openai) say(data.params.structuredContent.city, 'messages');
  });
  const params = { appInfo: { name: 'p', version: '1.0.0' }, appCapabilities: {}, protocolVersion: '2026-01-26' };
  post({ id: 1, method: 'ui/initialize', params });
</script>`;

describeInChromium('the page of an MCP App that is worked on', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;
  let html: string;
  let frame: FrameLocator;

  beforeEach(async () => {
    html = page('first');
    server = await smallServer();
    server.resources.add({ name: 'page', uri: 'ui://page', ui: {}, handler: () => html });
    server.tools.add({
      name: 'show_page',
      inputSchema: { type: 'object' },
      ui: 'ui://page',
      outputSchema: { type: 'object', properties: { city: { type: 'string' } } },
      annotations: { readOnlyHint: true },
      handler: () => ({ city: 'Seattle' }),
    });
    console = await ConsoleUnderTest.forTest([server]);
    opened = await console.show(browser());
    await opened.page.evaluate(`location.hash = "#/tools/tool/show_page"`);
    await opened.page.getByRole('button', { name: 'Call', exact: true }).click();
    frame = opened.page.frameLocator('iframe');
    await frame.getByText('Seattle by messages').waitFor();
  });

  test('is there while its tool still works', async () => {
    let answer: (city: { city: string }) => void = () => undefined;
    server.tools.add({
      name: 'slow_page',
      inputSchema: { type: 'object' },
      ui: 'ui://page',
      outputSchema: { type: 'object', properties: { city: { type: 'string' } } },
      annotations: { readOnlyHint: true },
      handler: () => new Promise((resolve) => (answer = resolve)),
    });
    await opened.page.evaluate(`location.hash = "#/tools/tool/slow_page"`);
    await opened.page.getByRole('heading', { name: 'slow_page' }).waitFor();
    await opened.page.getByRole('button', { name: 'Call', exact: true }).click();
    await opened.page.getByText('running', { exact: true }).waitFor();
    await frame.getByRole('heading', { name: 'first' }).waitFor();
    answer({ city: 'Oslo' });
    await frame.getByText('Oslo by messages').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  const change = async () => {
    html = page('second');
    server.resourceUpdated('ui://page');
    await frame.getByRole('heading', { name: 'second' }).waitFor();
  };

  test('is loaded anew when it changes, with what it has kept and with its result', async () => {
    await frame.getByRole('button', { name: 'clicked 0' }).click();
    await frame.getByRole('button', { name: 'clicked 1' }).click();
    await change();
    await frame.getByRole('button', { name: 'clicked 2' }).waitFor();
    await frame.getByText('Seattle by messages').waitFor();
    await opened.page.getByText(/shown in \d+ ms/).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('is shown in the dialect of OpenAI, and keeps its state there', async () => {
    await opened.page.getByLabel('The host speaks').selectOption('openai');
    await frame.getByText('Seattle by window.openai').waitFor();
    await frame.getByRole('button', { name: 'clicked 0' }).click();
    await frame.getByRole('button', { name: 'clicked 1' }).waitFor();
    await change();
    await frame.getByRole('button', { name: 'clicked 1' }).waitFor();
    await opened.page.getByLabel('The host speaks').selectOption('official');
    await frame.getByText('Seattle by messages').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('finds nothing that another call has kept', async () => {
    await frame.getByRole('button', { name: 'clicked 0' }).click();
    await frame.getByRole('button', { name: 'clicked 1' }).waitFor();
    await opened.page.getByRole('button', { name: 'Call', exact: true }).click();
    await frame.getByRole('button', { name: 'clicked 0' }).waitFor();
    await frame.getByText('Seattle by messages').waitFor();
  });

  test('has the messages of its bridge beside it', async () => {
    await opened.page.getByText(/\d messages of the bridge/).click();
    const list = opened.page.getByRole('list', { name: 'Messages of the bridge' });
    const names = await list.locator('code').allTextContents();
    expect(names).toEqual(
      expect.arrayContaining([
        'ui/initialize',
        'answer to 1',
        'ui/notifications/initialized',
        'ui/notifications/tool-result',
      ]),
    );
    expect(names.indexOf('ui/initialize')).toBeLessThan(names.indexOf('ui/notifications/tool-result'));
  });
});
