import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createMcpServer, type McpServer, type ServerOptions } from '@toolwright/core';
import { mcpFetch } from '@toolwright/http';
import { mountServer } from '@toolwright/mount';
import { openApiTools } from '@toolwright/openapi';
import { SERVER_INFO } from '../contestants/work.js';
import { wireRequest } from '../protocol/request.js';
import { specificationOf, toolsOf } from './definitions.js';

/** Something whose cost must not grow faster than the number of tools. */
export interface LargeRow {
  readonly name: string;
  readonly title: string;
  readonly unit: 'ms of CPU' | 'KB of heap';
  /** Whether it needs decorated classes that were compiled. */
  readonly needsBuild?: true;
  /**
   * Does the work once, in a process of its own.
   *
   * @param folder the compiled classes, for a row that needs them
   */
  measure(tools: number, folder: string): Promise<number>;
}

const MOUNTS = 20;
/** How many tools are listed to measure one later walk through all pages. */
const LISTED = 20_000;

/** The rows of `pnpm run many`. */
export const largeRows: readonly LargeRow[] = [
  {
    name: 'boot',
    title: 'boot of decorated tools',
    unit: 'ms of CPU',
    needsBuild: true,
    measure: async (_tools, folder) => {
      const services = servicesIn(folder);
      return cpuOf(() => open({ services }));
    },
  },
  {
    name: 'memory',
    title: 'memory of decorated tools',
    unit: 'KB of heap',
    needsBuild: true,
    measure: async (_tools, folder) => {
      const before = heap();
      const server = await open({ services: servicesIn(folder) });
      const held = (heap() - before) / 1_024;
      await server.close();
      return held;
    },
  },
  {
    name: 'list-first',
    title: 'all pages of tools/list, the first time',
    unit: 'ms of CPU',
    needsBuild: true,
    measure: async (tools, folder) => {
      const handler = handlerOf(await open({ services: servicesIn(folder) }));
      return cpuOf(() => listAll(handler, tools));
    },
  },
  {
    name: 'list-again',
    title: 'all pages of tools/list, later',
    unit: 'ms of CPU',
    needsBuild: true,
    measure: async (tools, folder) => {
      const handler = handlerOf(await open({ services: servicesIn(folder) }));
      await listAll(handler, tools);
      // As many pages in either size, so that V8 collects as often.
      const walks = LISTED / tools;
      const spent = await cpuOf(async () => {
        for (let walk = 0; walk < walks; walk++) await listAll(handler, tools);
      });
      return spent / walks;
    },
  },
  {
    name: 'add-list',
    title: '`tools.add` of one list',
    unit: 'ms of CPU',
    measure: async (tools) => {
      const server = await open();
      const definitions = toolsOf(tools);
      return cpuOf(() => server.tools.add(definitions));
    },
  },
  {
    name: 'add-each',
    title: '`tools.add` of each tool alone',
    unit: 'ms of CPU',
    measure: async (tools) => {
      const server = await open();
      const definitions = toolsOf(tools);
      return cpuOf(() => definitions.forEach((definition) => server.tools.add(definition)));
    },
  },
  {
    name: 'mounts',
    title: `${MOUNTS} mounts at the same time, over HTTP`,
    unit: 'ms of CPU',
    measure: async (tools) => {
      // The servers behind are another process, so that only what a mount costs here counts.
      const behind = fork(join(__dirname, 'servers-behind.js'), [String(MOUNTS), String(tools / MOUNTS)]);
      const [ports] = (await once(behind, 'message')) as [number[]];
      const server = await open();
      const spent = await cpuOf(() => Promise.all(ports.map((port, index) => mount(server, port, index))));
      const { length } = server.tools.list();
      if (length !== tools) throw new Error(`${length} of ${tools} tools were mounted`);
      await server.close();
      behind.disconnect();
      return spent;
    },
  },
  {
    name: 'import',
    title: 'import of a specification in the proportions of that of GitHub',
    unit: 'ms of CPU',
    measure: async (tools) => {
      const server = await open();
      const spec = specificationOf(tools);
      return cpuOf(() => openApiTools(server, { spec }));
    },
  },
];

const open = (options: Partial<ServerOptions> = {}): Promise<McpServer> =>
  createMcpServer({ ...SERVER_INFO, audit: false, rateLimit: false, ...options });

/** Without an address it would warn. */
const handlerOf = (server: McpServer) => mcpFetch(server, { clientAddress: () => '127.0.0.1' });

const mount = (server: McpServer, port: number, index: number) =>
  mountServer(server, `m${index}`, { url: `http://127.0.0.1:${port}/mcp`, prefix: `m${index}_` });

function servicesIn(folder: string): NonNullable<ServerOptions['services']> {
  const file = join(folder, 'toolwright', 'dist', 'services.js');
  return (createRequire(file)(file) as Required<Pick<ServerOptions, 'services'>>).services;
}

/** The processor's time does not depend on what else the machine does. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function heap(): number {
  global.gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Follows the pages of `tools/list` to the last one. */
async function listAll(handler: ReturnType<typeof mcpFetch>, tools: number): Promise<void> {
  let listed = 0;
  let cursor: string | undefined;
  do {
    const question = { method: 'tools/list', params: cursor === undefined ? {} : { cursor } };
    const { path, headers, body } = wireRequest(question, 1, { dialect: 'modern' });
    const answer = await handler(new Request(`http://127.0.0.1${path}`, { method: 'POST', headers, body }));
    const { result } = (await answer.json()) as { result: { tools: object[]; nextCursor?: string } };
    listed += result.tools.length;
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  if (listed !== tools) throw new Error(`${listed} of ${tools} tools were listed`);
}
