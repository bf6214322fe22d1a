import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { McpServer } from '@toolwright/core';
import type { TaskService } from '@toolwright/core/operate';
import type { ServeHealthOptions } from '@toolwright/http';
import { usageError } from '../command-error.js';

type Exports = Readonly<Record<string, unknown>>;

/** The names under which a file may offer its server, the first one that is there. */
const NAMES = ['createServer', 'server', 'default'] as const;

/**
 * Works on the tasks of the server that a file exports. It ends with the process, and gracefully on SIGTERM.
 *
 * @param options.health where the probes `/healthz` and `/readyz` are answered; nowhere if it is left out
 * @throws {CommandError} when the file exports no server
 */
export async function runWorker(
  file: string,
  { health, ...options }: { concurrency: number; grace: number; health?: ServeHealthOptions },
): Promise<void> {
  process.env['NODE_ENV'] ??= 'production';
  process.setSourceMapsEnabled(true);
  const server = await serverOf(file);
  // The app may have another copy of core than this command. Its server belongs to its own.
  const { serveTasks } = createRequire(file)(
    '@toolwright/core/operate',
  ) as typeof import('@toolwright/core/operate');
  const service = await serveTasks(server, options);
  if (health) await probe(server, service, health);
  // Idle connections do not keep a process alive, but this one waits for work.
  setInterval(() => {}, 60_000);
}

/** A worker that nobody can ask for its health does not go on. */
async function probe(server: McpServer, service: TaskService, options: ServeHealthOptions): Promise<void> {
  const { serveHealth } = await import('@toolwright/http');
  try {
    await serveHealth(server, options);
  } catch (error) {
    await service.close();
    throw error;
  }
}

async function serverOf(file: string): Promise<McpServer> {
  const loaded = (await import(pathToFileURL(file).href)) as Exports;
  // A CommonJS file is the default export of itself.
  const all: Exports = { ...(loaded['default'] as Exports | undefined), ...loaded };
  for (const name of NAMES) {
    const exported = all[name];
    const server: unknown = await (typeof exported === 'function' ? (exported as () => unknown)() : exported);
    if (isServer(server)) return server;
  }
  throw usageError(
    `${basename(file)} exports no server. Export \`createServer\`, a function that returns what createMcpServer returns.`,
  );
}

function isServer(value: unknown): value is McpServer {
  return (
    typeof (value as { protocol?: { workOnTasks?: unknown } } | null)?.protocol?.workOnTasks === 'function'
  );
}
