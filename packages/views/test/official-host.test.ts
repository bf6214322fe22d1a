import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type QuietFrame, openInOfficialHost } from './support/official-host.js';

/** Resolves with the next value that the function is called with. */
function nextCall<T>(): { heard: Promise<T>; hear: (value: T) => void } {
  let hear!: (value: T) => void;
  const heard = new Promise<T>((resolve) => (hear = resolve));
  return { heard, hear };
}

const sentMethods = ({ sent }: QuietFrame) => sent.map(({ message }) => message.method);
const text = (value: string) => [{ type: 'text' as const, text: value }];

describe('what the view sends', () => {
  test('ui/initialize and ui/notifications/initialized, and nothing in between', async () => {
    const initialized = nextCall<unknown>();
    const { bridge, frame } = await openInOfficialHost({
      view: { name: 'chart', version: '2.0.0', displayModes: ['inline', 'fullscreen'] },
      prepare: (host) => (host.oninitialized = initialized.hear),
    });
    await initialized.heard;
    expect(bridge.getAppVersion()).toEqual({ name: 'chart', version: '2.0.0' });
    expect(bridge.getAppCapabilities()).toEqual({ availableDisplayModes: ['inline', 'fullscreen'] });
    expect(sentMethods(frame).slice(0, 2)).toEqual(['ui/initialize', 'ui/notifications/initialized']);
  });

  test('ui/notifications/size-changed at first, and after each change', async () => {
    const sizes: unknown[] = [];
    const { frame } = await openInOfficialHost({
      prepare: (host) => (host.onsizechange = (s) => sizes.push(s)),
    });
    await Promise.resolve();
    frame.resize({ width: 320.2, height: 99.5 });
    frame.resize({ width: 320, height: 480 });
    await new Promise(setImmediate);
    expect(sizes).toEqual([
      { width: 321, height: 100 },
      { width: 320, height: 480 },
    ]);
  });

  test('ui/open-link, and a refusal of it', async () => {
    const { view, bridge } = await openInOfficialHost();
    const urls: string[] = [];
    bridge.onopenlink = async ({ url }) => ({ isError: urls.push(url) > 1 });
    await view.openLink('https://example.com/');
    await expect(view.openLink('https://example.com/2')).rejects.toThrow('The host did not open the link.');
    expect(urls).toEqual(['https://example.com/', 'https://example.com/2']);
  });

  test('ui/download-file', async () => {
    const asked = nextCall<unknown>();
    const { view } = await openInOfficialHost({
      capabilities: { downloadFile: {} },
      prepare: (host) => (host.ondownloadfile = async (params) => (asked.hear(params), {})),
    });
    await view.download({ name: 'rows 1.csv', mimeType: 'text/csv', text: 'a,b' });
    expect(await asked.heard).toEqual({
      contents: [
        { type: 'resource', resource: { uri: 'file:///rows%201.csv', mimeType: 'text/csv', text: 'a,b' } },
      ],
    });
  });

  test('ui/message', async () => {
    const asked = nextCall<unknown>();
    const { view } = await openInOfficialHost({
      prepare: (host) => (host.onmessage = async (params) => (asked.hear(params), {})),
    });
    await view.message('Show March.');
    expect(await asked.heard).toEqual({ role: 'user', content: text('Show March.') });
  });

  test('ui/update-model-context', async () => {
    const asked = nextCall<unknown>();
    const { view } = await openInOfficialHost({
      prepare: (host) => (host.onupdatemodelcontext = async (params) => (asked.hear(params), {})),
    });
    await view.tellModel('March is chosen.', { month: 3 });
    expect(await asked.heard).toEqual({ content: text('March is chosen.'), structuredContent: { month: 3 } });
  });

  test('ui/request-display-mode: the host decides', async () => {
    const { view, bridge } = await openInOfficialHost();
    bridge.onrequestdisplaymode = async ({ mode }) => ({ mode: mode === 'pip' ? 'inline' : mode });
    expect(await view.requestDisplayMode('fullscreen')).toBe('fullscreen');
    expect(view.host.displayMode).toBe('fullscreen');
    expect(await view.requestDisplayMode('pip')).toBe('inline');
    expect(view.host.displayMode).toBe('inline');
  });

  test('ui/notifications/request-teardown', async () => {
    const asked = nextCall<unknown>();
    const { view } = await openInOfficialHost({ prepare: (host) => (host.onrequestteardown = asked.hear) });
    view.close();
    await asked.heard;
  });

  test('notifications/message', async () => {
    const asked = nextCall<unknown>();
    const { view } = await openInOfficialHost({ prepare: (host) => (host.onloggingmessage = asked.hear) });
    view.log('warning', { rows: 0 });
    expect(await asked.heard).toEqual({ level: 'warning', data: { rows: 0 } });
  });

  test('resources/read', async () => {
    const { view, bridge } = await openInOfficialHost();
    bridge.onreadresource = async ({ uri }) => ({ contents: [{ uri, text: 'red', mimeType: 'text/plain' }] });
    expect(await view.read('config://colour')).toEqual([
      { uri: 'config://colour', text: 'red', mimeType: 'text/plain' },
    ]);
  });

  test('tools/call, with the value of a tool that returns no object', async () => {
    const { view, bridge } = await openInOfficialHost({ view: { wrapped: ['next_rows'] } });
    bridge.oncalltool = async ({ name, arguments: args }) => ({
      content: text('…'),
      structuredContent: name === 'next_rows' ? { result: [args?.['from']] } : { sum: 3 },
    });
    expect(await view.call('next_rows', { from: 7 })).toEqual([7]);
    expect(await view.call('add', { a: 1, b: 2 })).toEqual({ sum: 3 });
  });

  test('tools/call that fails rejects with the text that the model would read', async () => {
    const { view, bridge } = await openInOfficialHost();
    bridge.oncalltool = async () => ({ content: text('No such page.'), isError: true });
    await expect(view.call('get_page', { id: 'x' })).rejects.toThrow('No such page.');
  });

  test('notifications/cancelled when a call is aborted', async () => {
    const { view, bridge } = await openInOfficialHost();
    const began = nextCall<void>();
    const ended = nextCall<unknown>();
    bridge.oncalltool = async (_params, { mcpReq: { signal } }) => {
      signal.addEventListener('abort', ended.hear);
      began.hear();
      await ended.heard;
      return { content: [] };
    };
    const abort = new AbortController();
    const call = view.call('export_all', {}, { signal: abort.signal });
    await began.heard;
    abort.abort();
    await expect(call).rejects.toThrow('The call was cancelled.');
    await ended.heard;
  });

  test('a progress token, and the progress that comes for it with a part of the result', async () => {
    const { view, bridge } = await openInOfficialHost();
    const seen: unknown[] = [];
    bridge.oncalltool = async ({ _meta }, { mcpReq: { notify } }) => {
      const { progressToken } = _meta as { progressToken: number };
      const rows = (part: string[]) => ({ 'toolwright/partial': part });
      await notify({
        method: 'notifications/progress',
        params: { progressToken, progress: 1, total: 2, _meta: rows(['a']) },
      });
      await notify({
        method: 'notifications/progress',
        params: { progressToken, progress: 2, message: 'b' },
      });
      return { content: [], structuredContent: { rows: ['a', 'b'] } };
    };
    await view.call('list', {}, { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([
      { progress: 1, total: 2, data: ['a'] },
      { progress: 2, message: 'b' },
    ]);
  });
});

describe('what the host sends', () => {
  test('ui/notifications/tool-input-partial, ui/notifications/tool-input and ui/notifications/tool-result', async () => {
    const { view, bridge } = await openInOfficialHost<{ months: number[] }>();
    const phases: string[] = [];
    view.onChange(() => phases.push(`${view.phase} ${JSON.stringify(view.args)}`));
    const result = new Promise((resolve) => view.onResult(resolve));
    await bridge.sendToolInputPartial({ arguments: { city: 'Ber' } });
    await bridge.sendToolInput({ arguments: { city: 'Bern' } });
    await bridge.sendToolResult({ content: text('…'), structuredContent: { months: [1, 2] } });
    expect(await result).toEqual({ months: [1, 2] });
    expect(view.result).toEqual({ months: [1, 2] });
    expect(phases).toEqual(['loading {"city":"Ber"}', 'loading {"city":"Bern"}', 'done {"city":"Bern"}']);
    const late: unknown[] = [];
    view.onResult((value) => late.push(value));
    expect(late).toEqual([{ months: [1, 2] }]);
  });

  test('tool-result of a failure shows its text', async () => {
    const { view, bridge } = await openInOfficialHost();
    await bridge.sendToolResult({ content: text('The service is down.'), isError: true });
    expect(view.snapshot).toMatchObject({ phase: 'failed', text: 'The service is down.', result: undefined });
  });

  test.each([
    ['JSON as text only', { content: text('{"months":[1]}') }, { months: [1] }],
    ['words', { content: text('Sunny.') }, 'Sunny.'],
    ['a wrapped value', { content: text('[1]'), structuredContent: { result: [1] } }, [1]],
  ])('tool-result with %s', async (_what, sent, expected) => {
    const { view, bridge } = await openInOfficialHost({ view: { wrapped: ['climate'], tool: 'climate' } });
    await bridge.sendToolResult(sent);
    expect(view.result).toEqual(expected);
  });

  test('ui/notifications/tool-cancelled', async () => {
    const { view, bridge } = await openInOfficialHost();
    await bridge.sendToolCancelled({ reason: 'The user stopped it.' });
    expect(view.snapshot).toMatchObject({ phase: 'cancelled', text: 'The user stopped it.' });
  });

  test('the context of the host, at first and in ui/notifications/host-context-changed', async () => {
    const { view, bridge, frame } = await openInOfficialHost({
      context: {
        theme: 'dark',
        locale: 'de-CH',
        timeZone: 'Europe/Zurich',
        displayMode: 'inline',
        availableDisplayModes: ['inline', 'fullscreen'],
        containerDimensions: { maxHeight: 600, width: 400 },
        platform: 'desktop',
        safeAreaInsets: { top: 4, right: 0, bottom: 0, left: 0 },
        styles: {
          variables: { '--color-text-primary': '#eee' } as never,
          css: { fonts: '@font-face { font-family: Host }' },
        },
        toolInfo: { id: 1, tool: { name: 'climate', inputSchema: { type: 'object' } } },
      },
    });
    expect(view.host).toEqual({
      name: 'Official host',
      theme: 'dark',
      locale: 'de-CH',
      timeZone: 'Europe/Zurich',
      displayMode: 'inline',
      displayModes: ['inline', 'fullscreen'],
      size: { maxHeight: 600, width: 400 },
      platform: 'desktop',
      insets: { top: 4, right: 0, bottom: 0, left: 0 },
      tool: 'climate',
      capabilities: { openLinks: {}, serverTools: {}, logging: {}, message: { text: {} } },
    });
    const { documentElement: root } = frame.document;
    expect([root.lang, root.dataset['theme'], root.style.colorScheme]).toEqual(['de-CH', 'dark', 'dark']);
    expect(frame.variables).toEqual({
      '--color-text-primary': '#eee',
      '--inset-top': '4px',
      '--inset-right': '0px',
      '--inset-bottom': '0px',
      '--inset-left': '0px',
    });
    expect(frame.heads).toEqual(['@font-face { font-family: Host }']);

    await bridge.sendHostContextChange({ theme: 'light' });
    expect(view.host).toMatchObject({ theme: 'light', locale: 'de-CH', tool: 'climate' });
    expect(root.style.colorScheme).toBe('light');
  });

  test('ui/resource-teardown waits for the view', async () => {
    const { view, bridge } = await openInOfficialHost();
    const steps: string[] = [];
    view.onClose(async () => {
      await new Promise(setImmediate);
      steps.push('saved');
    });
    expect(await bridge.teardownResource({})).toEqual({});
    expect(steps).toEqual(['saved']);
  });

  test('ping, and a method that views do not have', async () => {
    const { frame } = await openInOfficialHost();
    frame.sent.length = 0;
    frame.receive({ jsonrpc: '2.0', id: 90, method: 'ping' });
    frame.receive({ jsonrpc: '2.0', id: 91, method: 'constructor', params: {} });
    await new Promise(setImmediate);
    expect(frame.sent.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', id: 90, result: {} },
        { jsonrpc: '2.0', id: 91, error: expect.objectContaining({ code: -32601 }) },
      ]),
    );
  });
});

/** The proxy between the host and the frame has these two messages. No view sends or receives them. */
const ofTheProxy = ['ui/notifications/sandbox-proxy-ready', 'ui/notifications/sandbox-resource-ready'];

test('this file names each message of the official types', () => {
  const folder = dirname(require.resolve('@modelcontextprotocol/ext-apps/app-bridge'));
  const types = readFileSync(join(folder, 'spec.types.d.ts'), 'utf8');
  const methods = [...new Set([...types.matchAll(/method: "([^"]+)"/g)].map(([, method]) => method!))];
  const here = readFileSync(__filename, 'utf8');
  expect(methods).toHaveLength(17);
  expect(methods.filter((method) => !here.includes(method))).toEqual([]);
  expect(methods).toEqual(expect.arrayContaining(ofTheProxy));
});
