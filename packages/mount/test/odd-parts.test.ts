import { connect, type McpClient } from '@toolwright/client';
import type { McpServer, ToolResult } from '@toolwright/core';
import { mountServer } from '@toolwright/mount';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { serveOldSse } from './support/old-sse-upstream.js';
import { createGateway, serveUpstream } from './support/tools.js';
import { until } from '../../../.ci/test/support/until.js';

const eras = ['2026-07-28', '2025-11-25'] as const;
const open = closedAfterEach();

async function clientOf(gateway: McpServer, options: object): Promise<McpClient> {
  const client = await connect(gateway, options as never);
  open.push(client);
  return client;
}

const textOf = ({ content: [first] }: ToolResult) => (first as { text?: string } | undefined)?.text;

describe.each(eras)('For a client of %s', (revision) => {
  test('pages of MCP Apps stay with their tools, with what they may load', async () => {
    const upstream = await createGateway({ name: 'upstream', audit: false });
    const csp = { connectDomains: ['https://api.example.com'] };
    upstream.resources.add({
      name: 'chart',
      uri: 'ui://weather/chart',
      ui: { csp, prefersBorder: true },
      mimeType: 'text/html;profile=mcp-app',
      handler: () => '<!doctype html><title>Chart</title>',
    });
    upstream.tools.add([
      {
        name: 'weather',
        description: 'Shows the weather.',
        ui: 'ui://weather/chart',
        handler: () => 'sunny',
      },
      {
        name: 'reload',
        description: 'For the page alone.',
        ui: { resourceUri: 'ui://weather/chart', visibility: ['app'] },
        handler: () => 'rain',
      },
    ]);
    const { url, served } = await serveUpstream(upstream);
    const gateway = await createGateway();
    open.push({ close: () => served.close() }, gateway);
    await mountServer(gateway, 'up', { url, prefix: 'up_' });
    const client = await clientOf(gateway, {
      revision,
      capabilities: {
        extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
      },
    });

    const { tools } = await client.request('tools/list', {});
    expect(tools).toMatchObject([
      { name: 'up_weather', _meta: { ui: { resourceUri: 'ui://weather/chart' } } },
      { name: 'up_reload', _meta: { ui: { resourceUri: 'ui://weather/chart', visibility: ['app'] } } },
    ]);
    const { contents } = await client.request('resources/read', { uri: 'ui://weather/chart' });
    expect(contents).toMatchObject([
      {
        mimeType: 'text/html;profile=mcp-app',
        text: '<!doctype html><title>Chart</title>',
        _meta: { ui: { csp, prefersBorder: true } },
      },
    ]);
  });

  test('arguments are repeated in headers where the server behind asks for it', async () => {
    const upstream = await createGateway({ name: 'upstream', audit: false });
    const property = (type: string, header: string) => ({ type, 'x-mcp-header': header });
    upstream.tools.add({
      name: 'move',
      description: 'Moves.',
      inputSchema: {
        type: 'object',
        properties: {
          region: property('string', 'Region'),
          note: property('string', 'Note'),
          count: property('integer', 'Count'),
          isFast: property('boolean', 'Is-Fast'),
        },
      } as never,
      handler: ({ region }) => region,
    });
    const { url, served } = await serveUpstream(upstream);
    const gateway = await createGateway();
    open.push({ close: () => served.close() }, gateway);
    await mountServer(gateway, 'up', { url });
    const client = await clientOf(gateway, { revision });

    // A server of 2026-07-28 refuses a call whose headers are missing, or differ from its arguments.
    const args = { region: 'eu-west', note: 'Grüße\nan alle', count: 3, isFast: false };
    expect(textOf(await client.call('move', args))).toBe('eu-west');
    expect(textOf(await client.call('move', { region: '=?base64?eA==?=' }))).toBe('=?base64?eA==?=');
  });

  test('a server with the transport of 2024-11-05 works, asks, and is connected again', async () => {
    const upstream = await serveOldSse();
    const gateway = await createGateway();
    open.push(upstream, gateway);
    const mount = await mountServer(gateway, 'old', { url: upstream.url });
    expect(mount.status()).toMatchObject({ state: 'up', era: 'stateful' });
    const elicit = () => ({ action: 'accept' as const, content: { name: 'Ann' } });
    const client = await clientOf(gateway, { revision, elicit });

    expect(textOf(await client.call('keep', { word: 'a' }))).toBe('1');
    expect(textOf(await client.call('greet', {}))).toBe('Hello, Ann of Ann!');
    upstream.drop();
    await until(() => mount.status().state === 'up' && upstream.open > 0);
    expect(textOf(await client.call('kept', {}))).toBe('nothing');
  });
});
