import {
  Connection,
  McpApp,
  McpService,
  McpTool,
  type McpServer,
  type ServerOptions,
} from '@toolwright/core';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { boot } from './support/booting.js';
import { ModernWire } from './wire/modern-wire.js';

const EXTENSION = 'io.modelcontextprotocol/ui';
const MIME_TYPE = 'text/html;profile=mcp-app';
const PAGE = '<!doctype html><title>Chart</title>';
const settings = {
  csp: { connectDomains: ['https://api.example.com', 'wss://live.example.com:8443'] },
  permissions: { geolocation: {} },
  domain: 'chart.example.net',
  prefersBorder: false,
};

@McpService()
class Charts {
  @McpTool({ ui: 'ui://weather/chart', meta: { 'example.com/kept': 1 } })
  draw(): string {
    return 'January 3 °C, February 5 °C.';
  }

  @McpTool({ ui: { resourceUri: 'ui://weather/chart', visibility: ['app'] } })
  refresh(): string {
    return 'fresh';
  }

  @McpTool({ ui: { visibility: ['app'] } })
  helper(): string {
    return 'for pages';
  }

  @McpApp({ uri: 'ui://weather/chart', title: 'Weather', meta: { 'example.com/kept': 2 }, ...settings })
  chart(): string {
    return PAGE;
  }

  @McpApp({ uri: 'ui://weather/plain' })
  async plain(): Promise<string> {
    return PAGE;
  }
}

const methods = { draw: [], refresh: [], helper: [], chart: [], plain: [] };
const manifest = handMadeManifest({ file: 'src/charts.ts', name: 'Charts', methods });
const servers: McpServer[] = [];

afterEach(() => Promise.all(servers.splice(0).map((server) => server.close(0))));

async function start(options: Partial<ServerOptions> = { services: [Charts], manifest }) {
  const server = await boot(options);
  servers.push(server);
  return { server, wire: new ModernWire(server) };
}

/** A client of an older revision, without a transport between. */
function openLegacy(server: McpServer, client: { revision: string; capabilities?: object }) {
  const waiting: ((result: any) => void)[] = [];
  const peer = { principal: undefined, ip: undefined, transport: 'memory' } as const;
  const connection = new Connection(server.protocol, peer, (text) =>
    waiting.shift()!(JSON.parse(text).result),
  );
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

describe('what is published of an app', () => {
  it('is a link on its tools, in the form of today and in the one that older hosts look for', async () => {
    const { wire } = await start();
    const { tools } = (await wire.request('tools/list')).result;
    expect(tools.map(({ _meta }: { _meta: unknown }) => _meta)).toEqual([
      {
        'example.com/kept': 1,
        ui: { resourceUri: 'ui://weather/chart' },
        'ui/resourceUri': 'ui://weather/chart',
      },
      {
        ui: { resourceUri: 'ui://weather/chart', visibility: ['app'] },
        'ui/resourceUri': 'ui://weather/chart',
      },
      { ui: { visibility: ['app'] } },
    ]);
  });

  it('are its settings, in the list and with its content', async () => {
    const { wire } = await start();
    const { resources } = (await wire.request('resources/list')).result;
    expect(resources).toEqual([
      {
        uri: 'ui://weather/chart',
        name: 'chart',
        title: 'Weather',
        description: 'Charts.chart',
        mimeType: MIME_TYPE,
        _meta: { 'example.com/kept': 2, ui: settings },
      },
      expect.objectContaining({ uri: 'ui://weather/plain', mimeType: MIME_TYPE, _meta: { ui: {} } }),
    ]);
    const { contents } = (await wire.request('resources/read', { uri: 'ui://weather/chart' })).result;
    expect(contents).toEqual([
      { uri: 'ui://weather/chart', mimeType: MIME_TYPE, text: PAGE, _meta: { ui: settings } },
    ]);
  });

  it('is the extension, by servers that have apps and by no others', async () => {
    const discover = async ({ wire }: { wire: ModernWire }) =>
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
  ])('is the extension for %s as well, if that can say what tools mean', async (revision, expected) => {
    const { server } = await start();
    const { capabilities } = await openLegacy(server, { revision }).opened;
    expect(capabilities.extensions).toEqual(expected);
  });

  it('changes nothing about what a call answers', async () => {
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
  ])('is told whether the client that calls it %s', async (_case, capabilities, expected) => {
    const { server } = await start({});
    const heard: boolean[] = [];
    server.tools.add({ name: 'ask', handler: (_args, ctx) => void heard.push(ctx.showsApps) });
    await new ModernWire(server, undefined, capabilities).call('ask');
    expect(heard).toEqual([expected]);
  });
});

it('hears from clients of older revisions, too, that they show apps', async () => {
  const { server } = await start({});
  server.tools.add({ name: 'ask', handler: (_args, ctx) => String(ctx.showsApps) });
  const capabilities = { extensions: { [EXTENSION]: { mimeTypes: [MIME_TYPE] } } };
  const { opened, request } = openLegacy(server, { revision: '2025-11-25', capabilities });
  await opened;
  expect(await request('tools/call', { name: 'ask' })).toMatchObject({
    content: [{ type: 'text', text: 'true' }],
  });
});

describe('apps at run time', () => {
  const page = { uri: 'ui://late/page', name: 'page', ui: { prefersBorder: true }, handler: () => PAGE };
  const tool = { name: 'late', handler: () => 'text', ui: 'ui://late/page' };

  it('come with services', async () => {
    const { server, wire } = await start({ manifest });
    await server.services.add(Charts);
    expect((await wire.request('tools/list')).result.tools[0]._meta.ui.resourceUri).toBe(
      'ui://weather/chart',
    );
    await server.services.remove(Charts);
    expect((await wire.request('resources/read', { uri: 'ui://weather/chart' })).error).toBeDefined();
  });

  it('can be added by hand, the page first', async () => {
    const { server, wire } = await start({});
    expect(() => server.tools.add(tool)).toThrow('TW_APP_UNKNOWN');
    server.resources.add(page);
    server.tools.add(tool);
    const { contents } = (await wire.request('resources/read', { uri: page.uri })).result;
    expect(contents[0]).toMatchObject({ mimeType: MIME_TYPE, _meta: { ui: { prefersBorder: true } } });
  });

  it('keep their settings and links when something else of them changes', async () => {
    const { server, wire } = await start({});
    server.resources.add(page);
    server.tools.add(tool);
    server.resources.update(page.uri, { description: 'New.' });
    server.tools.update('late', { description: 'New.' });
    expect((await wire.request('resources/list')).result.resources[0]).toMatchObject({
      description: 'New.',
      mimeType: MIME_TYPE,
      _meta: { ui: { prefersBorder: true } },
    });
    expect((await wire.request('tools/list')).result.tools[0]).toMatchObject({
      description: 'New.',
      _meta: { ui: { resourceUri: page.uri } },
    });
    expect(() => server.tools.update('late', { ui: 'ui://late/gone' })).toThrow('TW_APP_UNKNOWN');
  });

  it('may say with the content what the list does not know', async () => {
    const { server, wire } = await start({});
    const ui = { csp: { connectDomains: ['https://today.example.com'] } };
    const handler = () => ({ text: PAGE, _meta: { ui, 'example.com/read': 1 } });
    server.resources.add({ ...page, handler });
    const { contents } = (await wire.request('resources/read', { uri: page.uri })).result;
    expect(contents[0]).toMatchObject({ mimeType: MIME_TYPE, _meta: { ui, 'example.com/read': 1 } });
  });

  it('may be pages of a template', async () => {
    const { server } = await start({});
    server.resourceTemplates.add({
      uriTemplate: 'ui://late/{page}',
      name: 'pages',
      mimeType: MIME_TYPE,
      handler: () => PAGE,
    });
    server.tools.add(tool);
    expect(() => server.tools.add({ ...tool, name: 'other', ui: 'ui://elsewhere/page' })).toThrow(
      'Apps: ui://late/{page}',
    );
  });

  it('take every origin that a page can need', async () => {
    const csp = {
      connectDomains: ['http://localhost:3000', 'https://api.example.com', 'wss://127.0.0.1:1'],
      resourceDomains: ['https://*.example.com'],
      frameDomains: [],
      baseUriDomains: ['https://xn--bcher-kva.example'],
    };
    const { server } = await start({});
    expect(server.resources.add({ uri: 'ui://a/b', name: 'b', ui: { csp }, handler: () => PAGE }).ui).toEqual(
      { csp },
    );
  });
});
