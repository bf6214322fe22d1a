import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { McpServer } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { ConsoleUnderTest, type OpenPage } from './support/console-under-test.js';
import { smallServer } from './support/small-server.js';

/** A page that asks its host for something, and shows the answer or the refusal. */
const page = (asked: { method: string; params: object }) => `<!doctype html><p id="said">waiting</p><script>
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  addEventListener('message', ({ data }) => {
    if (data.id === 1) post({ method: 'ui/notifications/initialized', params: {} });
    if (data.method === 'ui/notifications/tool-result') post({ id: 2, ...${JSON.stringify(asked)} });
    if (data.id === 2) document.getElementById('said').textContent = 'said ' + JSON.stringify(data.result ?? data.error);
  });
  const params = { appInfo: { name: 'p', version: '1.0.0' }, appCapabilities: {}, protocolVersion: '2026-01-26' };
  post({ id: 1, method: 'ui/initialize', params });
</script>`;

describeInChromium('the page of an MCP App', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;
  let html = '';
  const ran: string[] = [];

  beforeEach(async () => {
    ran.length = 0;
    server = await smallServer();
    const inputSchema = { type: 'object' };
    const handler = (name: string) => () => {
      ran.push(name);
      return { content: [{ type: 'text' as const, text: `ran ${name}` }] };
    };
    server.resources.add({ name: 'page', uri: 'ui://page', ui: {}, handler: () => html });
    for (const name of ['linked', 'private'])
      server.resources.add({ name, uri: `notes://${name}`, handler: () => `the ${name} note` });
    server.tools.add({
      name: 'show_page',
      inputSchema,
      annotations: { readOnlyHint: true },
      ui: 'ui://page',
      handler: () => ({
        content: [{ type: 'resource_link' as const, uri: 'notes://linked', name: 'linked' }],
      }),
    });
    const readOnlyHint = true;
    const kinds = {
      for_models: { annotations: { readOnlyHint }, ui: { visibility: ['model'] as const } },
      for_pages: { annotations: { readOnlyHint }, ui: { visibility: ['app'] as const } },
      erase: { annotations: { destructiveHint: true } },
      unsaid: {},
      add: { annotations: { destructiveHint: false } },
    };
    for (const [name, kind] of Object.entries(kinds))
      server.tools.add({ name, inputSchema, ...kind, handler: handler(name) });
    console = await ConsoleUnderTest.forTest([server]);
    opened = await console.show(browser());
  });

  /** Shows a page that does something, and returns its frame. */
  async function show(shown: string) {
    html = shown;
    await opened.page.evaluate(`location.hash = "#/tools/tool/show_page"`);
    await opened.page.getByRole('button', { name: 'Call', exact: true }).click();
    return opened.page.frameLocator('iframe');
  }
  const call = (name: string) =>
    page({ method: 'tools/call', params: { name, arguments: { of: 'everything' } } });
  const read = (uri: string) => page({ method: 'resources/read', params: { uri } });

  test.each(['for_models', 'no_such_tool'])('may not call %s', async (name) => {
    const frame = await show(call(name));
    await frame.getByText(`Pages may not call the tool ${name}`).waitFor();
    expect(ran).toEqual([]);
  });

  test.each(['for_pages', 'add'])('calls %s without a question', async (name) => {
    const frame = await show(call(name));
    await frame.getByText(`ran ${name}`).waitFor();
    expect(await opened.page.getByRole('dialog', { name: 'The app asks' }).count()).toBe(0);
  });

  test.each(['erase', 'unsaid'])('calls %s only when the person allows it', async (name) => {
    const frame = await show(call(name));
    const dialog = opened.page.getByRole('dialog', { name: 'The app asks' });
    await dialog.getByText(name, { exact: true }).waitFor();
    await dialog.getByText('everything').waitFor();
    const allow = dialog.getByRole('button', { name: 'Allow this call' });
    expect(ran).toEqual([]);
    await allow.click();
    await frame.getByText(`ran ${name}`).waitFor();
    expect(ran).toEqual([name]);
  });

  test.each(['Refuse', 'Escape'])('learns that the person did not allow it: %s', async (how) => {
    const frame = await show(call('erase'));
    const dialog = opened.page.getByRole('dialog', { name: 'The app asks' });
    await dialog.waitFor();
    if (how === 'Escape') await opened.page.keyboard.press('Escape');
    else await dialog.getByRole('button', { name: 'Refuse' }).click();
    await frame.getByText('The person did not allow the call of erase').waitFor();
    expect(ran).toEqual([]);
  });

  test('reads what its tool links, and no other resource', async () => {
    const frame = await show(read('notes://linked'));
    await frame.getByText('the linked note').waitFor();
    const other = await show(read('notes://private'));
    await other.getByText('The tool of this page does not link notes://private').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('hears when the console gets other colours', async () => {
    const listen = `<script>addEventListener('message', ({ data }) => {
      if (data.method === 'ui/notifications/host-context-changed') document.title = data.params.theme;
      document.body.dataset.heard = document.title;
    })</script>`;
    await opened.page.emulateMedia({ colorScheme: 'light' });
    const frame = await show(call('add') + listen);
    await frame.getByText('ran add').waitFor();
    await opened.page.emulateMedia({ colorScheme: 'dark' });
    await frame.locator('body[data-heard=dark]').waitFor();
  });

  describe('sends nothing outward', () => {
    const heard: string[] = [];
    const udp = createSocket('udp4').on('message', () => heard.push('STUN'));
    let tcp: Server;
    const port = (listening: { address(): unknown }) => (listening.address() as AddressInfo).port;

    beforeAll(async () => {
      tcp = createServer((socket) => {
        heard.push('TCP');
        socket.destroy();
      });
      udp.bind(0, '127.0.0.1');
      tcp.listen(0, '127.0.0.1');
      await Promise.all([once(udp, 'listening'), once(tcp, 'listening')]);
    });
    afterAll(() => {
      udp.close();
      tcp.close();
    });
    beforeEach(() => void heard.splice(0));

    /** Runs in the frame, and ends when the browser has gathered what it can, or refuses. */
    const gather = `(urls) => new Promise((resolve) => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'a', credential: 'b' }] });
      peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && resolve('gathered');
      peer.createDataChannel('x');
      peer.createOffer().then((offer) => peer.setLocalDescription(offer)).catch((error) => resolve(String(error)));
    })`;
    const shownFrame = async () => {
      await show(call('add'));
      await opened.page.frameLocator('iframe').getByText('ran add').waitFor();
      return opened.page.frames()[1]!;
    };

    test('by WebRTC: neither STUN nor TURN', async () => {
      const frame = await shownFrame();
      const all = [`stun:127.0.0.1:${port(udp)}`, `turn:127.0.0.1:${port(tcp)}?transport=tcp`];
      for (const url of all) await frame.evaluate(`(${gather})(${JSON.stringify(url)})`);
      expect(heard).toEqual([]);
    });

    test('by preconnect, prefetch, or by leaving its address', async () => {
      const frame = await shownFrame();
      const url = `http://127.0.0.1:${port(tcp)}/secret`;
      for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'modulepreload'])
        await frame.evaluate(
          `document.head.append(Object.assign(document.createElement('link'), { rel: '${rel}', href: '${url}' }))`,
        );
      await frame.evaluate(`fetch('${url}').catch(() => 'refused')`);
      await frame.evaluate(`void (location = '${url}')`).catch(() => undefined);
      await opened.page.waitForFunction(`document.querySelector('iframe')`);
      // Whatever the browser meant to open before this, it has opened now.
      await opened.page.evaluate(
        `fetch('api/overview', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })`,
      );
      expect(heard).toEqual([]);
    });
  });
});
