import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type McpClient } from '@toolwright/client';
import type { McpServer, Principal } from '@toolwright/core';
import { type MountOptions, mountServer } from '@toolwright/mount';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { createGateway } from './support/tools.js';

const open = closedAfterEach();

/** A server with one page for everybody, whose words and tools are those of its organisation, and one of the organisation alone. */
const source = `
const { ORG = 'nobody', LISTED } = process.env;
const app = 'text/html;profile=mcp-app';
const ui = (resourceUri) => ({ _meta: { ui: { resourceUri, visibility: ['app'] } } });
const schema = { type: 'object', properties: { text: { type: 'string' } } };
const tool = (name, uri) => ({ name, description: 'For the page of ' + ORG + '.', inputSchema: schema, ...ui(uri) });
const pages = { 'ui://desk/home': 'home of ' + ORG, ['ui://desk/only-' + ORG]: 'a secret of ' + ORG };
const answers = {
  initialize: () => ({ protocolVersion: '2025-11-25', serverInfo: { name: 'desk', version: '1' },
    capabilities: { tools: {}, resources: {} } }),
  'tools/list': () => ({ tools: [tool('reload', 'ui://desk/home'), tool('open_' + ORG, 'ui://desk/only-' + ORG)] }),
  'resources/list': () => ({ resources: Object.entries(LISTED === 'no' ? {} : pages).map(([uri, text]) =>
    ({ uri, name: text, mimeType: app, description: text })) }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: app, text: '<!doctype html><title>' + pages[uri] + '</title>' }] }),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: name + ' for ' + ORG }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n');
});
`;
const file = join(temporaryFolder(), 'desk.cjs');
writeFileSync(file, source);

const person = (subject: string, tenant: string): Principal => ({
  ...{ issuer: 'https://issuer.test', subject, scopes: [], tenant },
});
const ann = person('ann', 'red');
const cid = person('cid', 'blue');

async function gatewayOf(mounts: Record<string, Partial<MountOptions>>): Promise<McpServer> {
  const gateway = await createGateway();
  open.push(gateway);
  for (const [name, options] of Object.entries(mounts))
    await mountServer(gateway, name, {
      ...{ command: process.execPath, args: [file], prefix: `${name}_` },
      ...options,
    } as MountOptions);
  return gateway;
}

const OWN = { env: (principal?: Principal) => ({ ORG: principal?.tenant ?? 'nobody' }) };

const read = async (client: McpClient, uri: string) =>
  JSON.stringify(await client.request('resources/read', { uri }));

async function listed(client: McpClient, method: 'tools/list' | 'resources/list'): Promise<string> {
  return JSON.stringify(await client.request(method, {}));
}

describe.each(['2026-07-28', '2025-11-25'] as const)('for clients of %s', (revision) => {
  async function clientOf(gateway: McpServer, principal?: Principal): Promise<McpClient> {
    const client = await connect(gateway, { revision, ...(principal && { principal }) } as never);
    open.push(client);
    return client;
  }

  test('each caller lists and reads the pages of its own values, and nothing of another one', async () => {
    const gateway = await gatewayOf({ desk: OWN });
    const clients = await Promise.all([ann, cid, undefined].map((each) => clientOf(gateway, each)));
    const orgs = ['red', 'blue', 'nobody'];
    for (const [at, client] of clients.entries()) {
      const own = orgs[at]!;
      const others = orgs.filter((each) => each !== own);
      expect(await read(client, 'ui://desk/home')).toContain(`home of ${own}`);
      expect(await read(client, `ui://desk/only-${own}`)).toContain(`a secret of ${own}`);
      const all = [await listed(client, 'resources/list'), await listed(client, 'tools/list')].join();
      expect(all).toContain(`a secret of ${own}`);
      expect(all).toContain(`For the page of ${own}.`);
      for (const other of others) {
        expect(all).not.toMatch(new RegExp(`(?:of|only-|open_)${other}|of ${other}`));
        await expect(read(client, `ui://desk/only-${other}`)).rejects.toThrow(/only-/);
      }
    }
  });

  test('a page that no list has is for the callers of its tools', async () => {
    const env = (principal?: Principal) => ({ ...OWN.env(principal), LISTED: 'no' });
    const gateway = await gatewayOf({ desk: { env } });
    const [red, blue] = await Promise.all([ann, cid].map((each) => clientOf(gateway, each)));
    expect(await read(red!, 'ui://desk/home')).toContain('home of red');
    expect(await read(red!, 'ui://desk/only-red')).toContain('a secret of red');
    expect(await listed(blue!, 'resources/list')).not.toMatch(/red|nobody/);
    await expect(read(blue!, 'ui://desk/only-red')).rejects.toThrow(/only-red/);
  });

  test('a page calls the tools of its caller by their own names, and those of no other caller', async () => {
    const gateway = await gatewayOf({ desk: OWN });
    const [red, blue] = await Promise.all([ann, cid].map((each) => clientOf(gateway, each)));
    // Before anything is listed.
    expect(await blue!.callText('open_blue', {})).toBe('open_blue for blue');
    expect(await red!.callText('reload', {})).toBe('reload for red');
    expect(await blue!.callText('reload', {})).toBe('reload for blue');
    for (const name of ['open_blue', 'desk_open_blue'])
      await expect(red!.call(name, {})).rejects.toThrow(`Unknown tool: ${name}`);
  });

  test('where `for` gives each caller one of two mounts, its pages call the tools of that one', async () => {
    const mountOf = (tenant: string) => ({
      env: { ORG: tenant },
      for: (principal?: Principal) => principal?.tenant === tenant,
      select: ['reload', `open_${tenant}`, `ui://desk/only-${tenant}`],
    });
    const gateway = await gatewayOf({ one: mountOf('red'), two: mountOf('blue') });
    const [red, blue, nobody] = await Promise.all(
      [ann, cid, undefined].map((each) => clientOf(gateway, each)),
    );
    expect(await red!.callText('open_red', {})).toBe('open_red for red');
    expect(await red!.callText('reload', {})).toBe('reload for red');
    expect(await blue!.callText('reload', {})).toBe('reload for blue');
    expect(await read(red!, 'ui://desk/only-red')).toContain('a secret of red');
    await expect(read(blue!, 'ui://desk/only-red')).rejects.toThrow(/only-/);
    await expect(blue!.call('open_red', {})).rejects.toThrow('Unknown tool: open_red');
    await expect(nobody!.call('reload', {})).rejects.toThrow('Unknown tool: reload');
    expect(await listed(nobody!, 'resources/list')).not.toContain('secret');
  });
});
