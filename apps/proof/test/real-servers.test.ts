import { connect, type McpClient } from '@toolwright/client';
import { createMcpServer, type McpServer, type ToolResult } from '@toolwright/core';
import { type MountedServer, mountServer } from '@toolwright/mount';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@toolwright/core/ports';
import { tokensOfTool, type ToolInList } from '@toolwright/json';
import { whereInstalled } from '../../../.ci/test/support/installed.js';
import { count, size } from '../../../.ci/test/support/proof.js';
import { loadCounter } from '../../../packages/cli/src/contract/tokens/count-tokens.js';
import { ChildTransport } from '../../../packages/mount/src/upstream/child-transport.js';
import { type RealServer, realServers, startOf } from './real-servers.js';

const SAMPLE = 3;
const chosen = process.env.PROOF_ONLY?.split(',');
const tried = realServers.filter(({ name }, index) =>
  chosen ? chosen.includes(name) : size > 1 || index < SAMPLE,
);
const installed = whereInstalled(join(__dirname, '../node_modules', realServers[0]!.package), 'The server');

type Listed = Record<string, unknown> & ToolInList;

const sumOf = (tools: readonly Listed[], tokens: (tool: Listed) => number) =>
  tools.reduce((sum, tool) => sum + tokens(tool), 0);

async function pagesOf(
  list: (params: Record<string, unknown>) => Promise<Record<string, unknown>>,
): Promise<Listed[]> {
  const tools: Listed[] = [];
  let cursor: unknown;
  do {
    const page = await list(cursor === undefined ? {} : { cursor });
    tools.push(...(page['tools'] as Listed[]));
    cursor = page['nextCursor'];
  } while (cursor !== undefined);
  return tools;
}

/** What a server says of its tools without a mount: the oldest handshake, and one list. */
async function toolsOf(server: RealServer, folder: string): Promise<Listed[]> {
  const transport = new ChildTransport({
    ...startOf(server, folder),
    memoryBytes: undefined,
    mostBytes: 64 * 1024 * 1024,
    mostValues: Infinity,
    said: () => undefined,
  });
  const answers = new Map<unknown, (result: Record<string, unknown>) => void>();
  transport.onmessage = (message) => {
    const { id, result } = message as { id?: unknown; result?: Record<string, unknown> };
    if (result) answers.get(id)?.(result);
  };
  await transport.start();
  const ask = (id: number, method: string, params: object) =>
    new Promise<Record<string, unknown>>((resolve) => {
      answers.set(id, resolve);
      void transport.send({ jsonrpc: '2.0', id, method, params } as never);
    });
  const clientInfo = { name: 'direct', version: '1.0.0' };
  await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  let id = 1;
  const tools = await pagesOf((params) => ask(++id, 'tools/list', params));
  await transport.close();
  return tools;
}

const textOf = ({ content }: ToolResult) =>
  content.map((block) => (block as { text?: string }).text ?? '').join('\n');

installed.describe(`Servers of other people, mounted at once${installed.note}`, () => {
  let folder: string;
  let gateway: McpServer;
  let mounts: Map<string, MountedServer>;
  const clients: McpClient[] = [];

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'real-servers-')));
    gateway = await createMcpServer({
      name: 'gateway',
      version: '1.0.0',
      services: [],
      rateLimit: false,
      audit: false,
      logger: silentLogger,
    });
    const mounted = tried.map(async (server) => {
      const mount = await mountServer(gateway, server.name, {
        ...startOf(server, folder),
        prefix: `${server.name}_`,
        required: true,
      });
      return [server.name, mount] as const;
    });
    mounts = new Map(await Promise.all(mounted));
    for (const revision of ['2026-07-28', '2025-11-25'] as const)
      clients.push(await connect(gateway, { revision }));
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    const processes = [...mounts.values()].flatMap((mount) => mount.status().processes);
    await gateway.close();
    rmSync(folder, { recursive: true });
    expect(processes.filter(isRunning)).toEqual([]);
  });

  test.each(tried)('$name: each tool is listed, with what its server says of it', async (server) => {
    const { name } = server;
    const direct = await toolsOf(server, folder);
    const { state, left } = mounts.get(name)!.status();
    expect({ state, left }).toEqual({ state: 'up', left: [] });

    for (const client of clients) {
      const listed = await pagesOf((params) => client.request('tools/list', params));
      const mine = listed.filter((tool) => tool.name.startsWith(`${name}_`));
      expect(mine.map((tool) => [tool.name, tool['description']])).toEqual(
        direct.map((tool) => [`${name}_${tool.name}`, tool['description']]),
      );
    }
    count('servers', 1);
    count('tools', direct.length);

    const counter = await loadCounter();
    const exact = sumOf(direct, (tool) => tokensOfTool(tool, counter));
    const estimate = sumOf(direct, (tool) => tokensOfTool(tool));
    count('tokens of lists: o200k', exact);
    count('tokens of lists: estimate', estimate);
    expect(Math.abs(estimate / exact - 1)).toBeLessThan(0.25);
  });

  // Who is warned of honest servers stops reading. The rules may be wrong about one operation in a hundred.
  test('honest descriptions are not flagged', () => {
    const all = [...mounts.values()].map((mount) => mount.status());
    const flagged = all.flatMap(({ suspicious }) => suspicious);
    const operations = all.reduce((sum, each) => sum + each.operations, 0);
    count('flagged', flagged.length);
    expect(flagged.slice(Math.floor(operations / 100))).toEqual([]);
  });

  test.each(tried.filter(({ calls }) => calls))('$name works', async ({ name, calls }) => {
    for (const client of clients)
      for (const { tool, args, answer, isError } of calls!(folder)) {
        const result = await client.call(`${name}_${tool}`, args);
        expect(textOf(result)).toContain(answer);
        expect(result.isError).toBe(isError);
        count('calls', 1);
      }
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
