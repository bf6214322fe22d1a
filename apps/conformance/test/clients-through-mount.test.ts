import { Client as V2Client, StreamableHTTPClientTransport as V2Http } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { mountServer } from '@toolwright/mount';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whereInstalled } from '../../../.ci/test/support/installed.js';
import { count } from '../../../.ci/test/support/proof.js';
import { realServers, startOf } from '../../proof/test/real-servers.js';

const modules = join(__dirname, '../../proof/node_modules');
const installed = whereInstalled(join(modules, 'mcp-remote'), 'The client');

/** What the clients have in common, whatever their version. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  listResources(): Promise<{ resources: object[] }>;
  listPrompts(): Promise<{ prompts: object[] }>;
  callTool(params: object): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  getPrompt(params: object): Promise<unknown>;
  close(): Promise<void>;
}

const info = { name: 'client', version: '1.0.0' };

const clients: Record<string, (url: string, folder: string) => Promise<AnyClient>> = {
  async 'SDK v1'(url) {
    const client = new V1Client(info);
    await client.connect(new V1Http(new URL(url)));
    return client as never;
  },
  async 'SDK v2 on 2026-07-28'(url) {
    const client = new V2Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new V2Http(new URL(url)));
    return client as never;
  },
  async 'SDK v2 on an older revision'(url) {
    const client = new V2Client(info, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(new V2Http(new URL(url)));
    return client as never;
  },
  async 'mcp-remote'(url, folder) {
    const client = new V1Client(info);
    const args = [join(modules, 'mcp-remote/dist/proxy.js'), url, '--allow-http', '--transport', 'http-only'];
    const env = { PATH: process.env.PATH!, HOME: folder, MCP_REMOTE_CONFIG_DIR: folder };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }),
    );
    return client as never;
  },
};

installed.describe(`The mounted server "everything", for official clients${installed.note}`, () => {
  const [everything] = realServers;
  const folder = mkdtempSync(join(tmpdir(), 'clients-'));
  let gateway: McpServer;
  let served: Awaited<ReturnType<typeof serveHttp>>;
  beforeAll(async () => {
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    gateway = await createMcpServer({
      ...{ name: 'gateway', version: '1.0.0', services: [], rateLimit: false, audit: false, logger },
    });
    await mountServer(gateway, 'everything', { ...startOf(everything!, folder), required: true });
    served = await serveHttp(gateway, { port: 0, signals: false });
  });
  afterAll(async () => {
    await served.close();
    await gateway.close();
  });

  test.each(Object.keys(clients))('%s lists, calls and reads', async (name) => {
    const client = await clients[name]!(served.url, folder);
    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    const { prompts } = await client.listPrompts();
    expect([tools.length > 5, resources.length > 0, prompts.length > 0]).toEqual([true, true, true]);

    const call = (tool: string, args: object) => client.callTool({ name: tool, arguments: args });
    expect(await call('echo', { message: 'hello' })).toMatchObject({ content: [{ text: 'Echo: hello' }] });
    expect(await call('get-structured-content', { location: 'Chicago' })).toMatchObject({
      structuredContent: { temperature: expect.any(Number) as number },
    });
    expect(await call('get-tiny-image', {})).toMatchObject({
      content: expect.arrayContaining([expect.objectContaining({ type: 'image' })]) as object[],
    });
    const [{ uri }] = resources as [{ uri: string }];
    expect(await client.readResource({ uri })).toMatchObject({ contents: [{ uri }] });
    const [{ name: prompt }] = prompts as [{ name: string }];
    expect(await client.getPrompt({ name: prompt })).toMatchObject({ messages: [{}] });
    await client.close();
    count('official clients', 1);
  });
});
