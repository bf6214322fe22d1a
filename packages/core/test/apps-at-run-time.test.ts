import { MemoryEventBus } from '@toolwright/core/ports';
import { Charts, chartServers, chartsManifest as manifest, MIME_TYPE, PAGE } from './support/charts.js';
import { RecordingLogger } from './support/recording-logger.js';

const start = chartServers();

describe('apps at run time', () => {
  const page = { uri: 'ui://late/page', name: 'page', ui: { prefersBorder: true }, handler: () => PAGE };
  const tool = { name: 'late', handler: () => 'text', ui: 'ui://late/page' };

  it('are added with services', async () => {
    const { server, wire } = await start({ manifest });
    await server.services.add(Charts);
    expect((await wire.request('tools/list')).result.tools[0]._meta.ui.resourceUri).toBe(
      'ui://weather/chart',
    );
    await server.services.remove(Charts);
    expect((await wire.request('resources/read', { uri: 'ui://weather/chart' })).error).toBeDefined();
  });

  it('remove the links to them when they are removed, and restore the links when they return', async () => {
    const logger = new RecordingLogger();
    const bus = new MemoryEventBus();
    const { server, wire } = await start({ manifest, logger, stores: { bus } });
    const link = async () =>
      (await wire.request('tools/list')).result.tools.find(({ name }: { name: string }) => name === 'late')
        ._meta?.ui;
    await server.services.add(Charts);
    server.tools.add({ ...tool, ui: { resourceUri: 'ui://weather/chart', visibility: ['model'] } });
    const events: string[] = [];
    bus.subscribe(({ type }) => events.push(type));

    await server.services.remove(Charts);
    server.use((_call, next) => next());
    expect(await link()).toEqual({ visibility: ['model'] });
    expect(logger.lines).toContainEqual({
      level: 'warn',
      fields: { tool: 'late', app: 'ui://weather/chart' },
      message: 'The app that shows what a tool returns is gone',
    });
    await server.services.add(Charts);
    expect(await link()).toEqual({ resourceUri: 'ui://weather/chart', visibility: ['model'] });

    server.resources.add(page);
    server.tools.update('late', { ui: page.uri });
    events.splice(0);
    server.resources.remove(page.uri);
    expect(await link()).toBeUndefined();
    expect(events).toEqual(['resourcesListChanged', 'toolsListChanged']);
  });

  it('can be added without a service, the page first', async () => {
    const { server, wire } = await start({});
    expect(() => server.tools.add(tool)).toThrow('TW_APP_UNKNOWN');
    server.resources.add(page);
    server.tools.add(tool);
    const { contents } = (await wire.request('resources/read', { uri: page.uri })).result;
    expect(contents[0]).toMatchObject({ mimeType: MIME_TYPE, _meta: { ui: { prefersBorder: true } } });
  });

  it('keep their settings and links if something else changes', async () => {
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

  it('become normal resources without the page type if their settings are removed', async () => {
    const { server, wire } = await start({});
    server.resources.add(page);
    server.resources.update(page.uri, { ui: undefined });
    const [listed] = (await wire.request('resources/list')).result.resources;
    expect([listed.mimeType, listed._meta]).toEqual([undefined, undefined]);
    server.resources.update(page.uri, { ui: {} });
    server.resources.update(page.uri, { ui: undefined, mimeType: 'text/html' });
    expect((await wire.request('resources/list')).result.resources[0].mimeType).toBe('text/html');
  });

  it('lose their link if it is removed', async () => {
    const { server, wire } = await start({});
    server.resources.add(page);
    server.tools.add(tool);
    server.tools.update('late', { ui: undefined });
    expect((await wire.request('tools/list')).result.tools[0]).not.toHaveProperty('_meta');
  });

  it('may have settings with the content that the list does not contain', async () => {
    const { server, wire } = await start({});
    const ui = { csp: { connectDomains: ['https://today.example.com'] } };
    const handler = () => ({ text: PAGE, _meta: { ui, 'example.com/read': 1 } });
    server.resources.add({ ...page, handler });
    const { contents } = (await wire.request('resources/read', { uri: page.uri })).result;
    expect(contents[0]).toMatchObject({ mimeType: MIME_TYPE, _meta: { ui, 'example.com/read': 1 } });
    expect(contents[0]._meta['openai/widgetCSP'].connect_domains).toEqual(ui.csp.connectDomains);
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

  it('accept every origin that a page can need', async () => {
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
