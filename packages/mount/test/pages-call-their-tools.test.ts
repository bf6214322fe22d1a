import { connect, type McpClient } from '@toolwright/client';
import type { McpServer, Principal } from '@toolwright/core';
import { mountServer } from '@toolwright/mount';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { createGateway, serveUpstream } from './support/tools.js';

const open = closedAfterEach();

/** A server with a page, whose script calls `reload` by its own name. */
async function withPage(page = 'chart', said = 'rain'): Promise<string> {
  const resourceUri = `ui://weather/${page}`;
  const upstream = await createGateway({ name: 'upstream', audit: false });
  upstream.resources.add({
    name: page,
    uri: resourceUri,
    mimeType: 'text/html;profile=mcp-app',
    handler: () => '<!doctype html><title>Chart</title>',
  });
  upstream.tools.add({
    name: 'reload',
    description: 'For the page.',
    inputSchema: { type: 'object' },
    ui: { resourceUri, visibility: ['app'] },
    handler: () => said,
  } as never);
  const { url, served } = await serveUpstream(upstream);
  open.push({ close: () => served.close() }, upstream);
  return url;
}

/** A server whose tool no page calls. */
async function withPlain(): Promise<string> {
  const upstream = await createGateway({ name: 'upstream', audit: false });
  upstream.tools.add({ name: 'tool', description: 'For the model.', handler: () => 'done' });
  const { url, served } = await serveUpstream(upstream);
  open.push({ close: () => served.close() }, upstream);
  return url;
}

async function clientOf(gateway: McpServer, principal?: Principal): Promise<McpClient> {
  const client = await connect(gateway, { ...(principal && { principal }) } as never);
  open.push(client);
  return client;
}

async function gatewayOf(mounts: Record<string, object>): Promise<McpServer> {
  const gateway = await createGateway();
  open.push(gateway);
  for (const [name, options] of Object.entries(mounts))
    await mountServer(gateway, name, { prefix: `${name}_`, ...options } as never);
  return gateway;
}

test('a page may call its own tool by its own name under a prefix, and no list has that name', async () => {
  const client = await clientOf(await gatewayOf({ up: { url: await withPage() } }));
  expect(await client.callText('up_reload', {})).toBe('rain');
  expect(await client.callText('reload', {})).toBe('rain');
  const { tools } = (await client.request('tools/list', {})) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(['up_reload']);
});

test('so it may where the tool was renamed', async () => {
  const options = { url: await withPage(), rename: { reload: 'weather_again' } };
  const client = await clientOf(await gatewayOf({ up: options }));
  expect(await client.callText('reload', {})).toBe('rain');
});

test('the guards of the tool count, whatever its name', async () => {
  const options = { url: await withPage(), for: (principal?: Principal) => principal?.subject === 'ann' };
  const gateway = await gatewayOf({ up: options });
  const ann = await clientOf(gateway, { issuer: 'https://issuer.test', subject: 'ann', scopes: [] });
  expect(await ann.callText('reload', {})).toBe('rain');
  await expect((await clientOf(gateway)).call('reload', {})).rejects.toThrow(/reload/);
});

test('a tool of ours with that name stays ours', async () => {
  const gateway = await gatewayOf({ up: { url: await withPage() } });
  gateway.tools.add({ name: 'reload', description: 'Ours.', handler: () => 'ours' });
  expect(await (await clientOf(gateway)).callText('reload', {})).toBe('ours');
});

test('a name that pages of two servers may mean is unknown where a caller has both, and so is that of a server without pages', async () => {
  const gateway = await gatewayOf({
    one: { url: await withPage('chart', 'rain') },
    two: { url: await withPage('map', 'sun'), for: (principal?: Principal) => principal?.subject !== 'ben' },
    plain: { url: await withPlain() },
  });
  const person = (subject: string) => ({ issuer: 'https://issuer.test', subject, scopes: [] });
  const [ann, ben] = await Promise.all(['ann', 'ben'].map((each) => clientOf(gateway, person(each))));
  expect(await ann!.callText('one_reload', {})).toBe('rain');
  expect(await ann!.callText('two_reload', {})).toBe('sun');
  await expect(ann!.call('reload', {})).rejects.toThrow('Unknown tool: reload');
  expect(await ben!.callText('reload', {})).toBe('rain');
  await expect(ben!.call('plain_tool', {})).resolves.toBeDefined();
  await expect(ben!.call('tool', {})).rejects.toThrow('Unknown tool: tool');
});
