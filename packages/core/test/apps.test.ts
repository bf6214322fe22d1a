import type { McpServer } from '@toolwright/core';
import { chartServers, MIME_TYPE, PAGE, settings } from './support/charts.js';
import { StatelessWire } from './wire/stateless-wire.js';

const EXTENSION = 'io.modelcontextprotocol/ui';
const start = chartServers();

/** A client of an older revision, without a transport. */
function openStateful(server: McpServer, client: { revision: string; capabilities?: object }) {
  const waiting: ((result: any) => void)[] = [];
  const peer = { principal: undefined, ip: undefined, transport: 'memory' } as const;
  const connection = server.protocol.connect(peer, (text) => waiting.shift()!(JSON.parse(text).result));
  const request = (method: string, params: object) => {
    const message = { jsonrpc: '2.0' as const, id: method, method, params };
    return new Promise<any>((resolve) => {
      waiting.push(resolve);
      connection.receive(message);
    });
  };
  const { revision, capabilities = {} } = client;
  const clientInfo = { name: 'client', version: '1' };
  return { opened: request('initialize', { protocolVersion: revision, capabilities, clientInfo }), request };
}

/** What hosts with the dialect of OpenAI read of the same page, and of a tool that pages may call. */
const openAiPage = {
  'openai/widgetCSP': {
    connect_domains: ['https://api.example.com', 'wss://live.example.com:8443'],
    resource_domains: [],
  },
  'openai/widgetPrefersBorder': false,
};
const openAiTool = { 'openai/outputTemplate': 'ui://weather/chart', 'openai/widgetAccessible': true };
const nothingReached = { 'openai/widgetCSP': { connect_domains: [], resource_domains: [] } };

describe('what is published about an app', () => {
  it('is a link on its tools, in the current form, in the form for older hosts and in that of OpenAI', async () => {
    const { wire } = await start();
    const { tools } = (await wire.request('tools/list')).result;
    expect(tools.map(({ _meta }: { _meta: unknown }) => _meta)).toEqual([
      {
        'example.com/kept': 1,
        ui: { resourceUri: 'ui://weather/chart' },
        'ui/resourceUri': 'ui://weather/chart',
        ...openAiTool,
      },
      {
        ui: { resourceUri: 'ui://weather/chart', visibility: ['app'] },
        'ui/resourceUri': 'ui://weather/chart',
        ...openAiTool,
        'openai/visibility': 'private',
      },
      { ui: { visibility: ['app'] }, 'openai/widgetAccessible': true, 'openai/visibility': 'private' },
    ]);
  });

  it('are its settings, in the list, with its content and beside it, in both dialects', async () => {
    const { wire } = await start();
    const { resources } = (await wire.request('resources/list')).result;
    expect(resources).toEqual([
      {
        uri: 'ui://weather/chart',
        name: 'chart',
        title: 'Weather',
        description: 'Charts.chart',
        mimeType: MIME_TYPE,
        _meta: { 'example.com/kept': 2, ui: settings, ...openAiPage },
      },
      expect.objectContaining({
        uri: 'ui://weather/plain',
        mimeType: MIME_TYPE,
        _meta: { ui: {}, ...nothingReached },
      }),
    ]);
    const { contents, _meta } = (await wire.request('resources/read', { uri: 'ui://weather/chart' })).result;
    expect(contents).toEqual([
      { uri: 'ui://weather/chart', mimeType: MIME_TYPE, text: PAGE, _meta: { ui: settings, ...openAiPage } },
    ]);
    expect(_meta).toMatchObject({ ui: settings, ...openAiPage });
  });

  it('is a domain only in the form that the host has', async () => {
    const { server, wire } = await start({});
    const add = (uri: string, domain: string) =>
      server.resources.add({ uri, name: uri, ui: { domain }, handler: () => PAGE });
    add('ui://a', 'https://chart.example.net');
    add('ui://b', 'a904794854a047f6.claudemcpcontent.com');
    const { resources } = (await wire.request('resources/list')).result;
    const read = (await wire.request('resources/read', { uri: 'ui://a' })).result;
    const domains = [...resources, ...read.contents, read].map(({ _meta }: any) => [
      _meta.ui.domain,
      _meta['openai/widgetDomain'],
    ]);
    const ofChatGpt = [undefined, 'https://chart.example.net'];
    expect(domains).toEqual([
      ofChatGpt,
      ['a904794854a047f6.claudemcpcontent.com', undefined],
      ofChatGpt,
      ofChatGpt,
    ]);
  });

  it('is the extension, but only by servers with apps', async () => {
    const discover = async ({ wire }: { wire: StatelessWire }) =>
      (await wire.request('server/discover')).result.capabilities;
    expect(await discover(await start())).toMatchObject({ extensions: { [EXTENSION]: {} } });
    const { server, wire } = await start({});
    expect(await discover({ wire })).not.toHaveProperty('extensions');
    server.tools.add({ name: 'late', handler: () => '', ui: { visibility: ['app'] } });
    expect(await discover({ wire })).toMatchObject({ extensions: { [EXTENSION]: {} } });
  });

  it.each([
    ['2025-11-25', { [EXTENSION]: {} }],
    ['2025-06-18', { [EXTENSION]: {} }],
    ['2025-03-26', undefined],
  ])('is the extension for %s as well, if that revision has tool metadata', async (revision, expected) => {
    const { server } = await start();
    const { capabilities } = await openStateful(server, { revision }).opened;
    expect(capabilities.extensions).toEqual(expected);
  });

  it('does not change the answer of a call', async () => {
    const { wire } = await start();
    const { content } = (await wire.call('draw')).result;
    expect(content).toEqual([{ type: 'text', text: 'January 3 °C, February 5 °C.' }]);
  });
});

describe('a tool', () => {
  it.each([
    ['shows apps', { extensions: { [EXTENSION]: { mimeTypes: ['text/plain', MIME_TYPE] } } }, true],
    ['shows something else', { extensions: { [EXTENSION]: { mimeTypes: ['text/uri-list'] } } }, false],
    ['says nothing of what it shows', { extensions: { [EXTENSION]: {} } }, false],
    ['says it wrongly', { extensions: { [EXTENSION]: null } }, false],
    ['knows no apps', {}, false],
  ])('knows whether the client that calls it %s', async (_case, capabilities, expected) => {
    const { server } = await start({});
    const heard: boolean[] = [];
    server.tools.add({ name: 'ask', handler: (_args, ctx) => void heard.push(ctx.showsApps) });
    await new StatelessWire(server, undefined, capabilities).call('ask');
    expect(heard).toEqual([expected]);
  });
});

it('knows that clients of older revisions show apps, too', async () => {
  const { server } = await start({});
  server.tools.add({ name: 'ask', handler: (_args, ctx) => String(ctx.showsApps) });
  const capabilities = { extensions: { [EXTENSION]: { mimeTypes: [MIME_TYPE] } } };
  const { opened, request } = openStateful(server, { revision: '2025-11-25', capabilities });
  await opened;
  expect(await request('tools/call', { name: 'ask' })).toMatchObject({
    content: [{ type: 'text', text: 'true' }],
  });
});
