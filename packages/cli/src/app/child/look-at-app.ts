import type { McpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { DEFAULT_LOGGER, SERVER_OBSERVER } from '@toolwright/json';
import { describeFailedStart } from './describe-failure.js';
import type { AppReport } from '../app-snapshot.js';
import { serveNobody } from './serve-nobody.js';

/** An app may add operations after it began to serve. It has this many milliseconds. */
const SETTLED_MS = 100;

/** An app may make a server and serve it later, for example after a request to another service. */
const MADE_MS = 10_000;

/** If a file has made no server this many milliseconds after it was loaded, it only exports one. */
const IDLE_MS = 2_000;

/** How many milliseconds servers may take to close. */
const CLOSING_MS = 2_000;

/** The names under which a file may offer its server, the first one that is there. */
const NAMES = ['createServer', 'server', 'default'];

/**
 * `node --require` loads this file into the app before any of its own code. Processes that the app starts inherit the
 * flag, but this code must not run in them.
 */
if (isMainThread && process.send && process.env['TOOLWRIGHT_LOOK'] === String(process.ppid)) look();

function look(): void {
  const servers: McpServer[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isSaid = false;
  const tellOnce = () => {
    if (!isSaid) void tell(servers);
    isSaid = true;
  };
  const wait = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(tellOnce, ms).unref();
  };
  let serves = false;
  serveNobody(() => {
    serves = true;
    if (servers.length > 0) wait(SETTLED_MS);
  });
  Object.assign(globalThis, {
    [DEFAULT_LOGGER]: silentLogger,
    [SERVER_OBSERVER]: (server: McpServer) => {
      servers.push(server);
      wait(serves ? SETTLED_MS : MADE_MS);
    },
  });
  process.on('uncaughtExceptionMonitor', (error) =>
    say({ is: 'failed', message: describeFailedStart(error) }),
  );
  // The app has nothing more to do: it serves, or it only exports a server.
  process.on('beforeExit', tellOnce);
  // A file that only exports its server, and holds something open, such as connections to a database, never comes so far.
  setImmediate(() => {
    void loadEntry().then(
      (exported) =>
        NAMES.some((name) => name in exported) && servers.length === 0 && !serves && wait(IDLE_MS),
      () => undefined,
    );
  });
}

const say = (report: AppReport, then?: () => void) => process.send?.(report, undefined, {}, then);

async function tell(made: readonly McpServer[]): Promise<void> {
  // Promises alone do not keep a process running.
  setInterval(() => {}, 60_000);
  const report = await reportOn(made);
  await Promise.race([
    Promise.allSettled(made.map((server) => server.close(0))),
    new Promise((resolve) => setTimeout(resolve, CLOSING_MS)),
  ]);
  say(report, () => process.exit(0));
}

async function reportOn(made: readonly McpServer[]): Promise<AppReport> {
  try {
    const servers = made.length > 0 ? made : [await exportedServer()];
    // It is loaded only now, so that an app under inspection starts as fast as it does otherwise.
    const { acceptUpstreams, snapshotServers } = await import('./snapshot-servers.js');
    if (process.env['TOOLWRIGHT_LOOK_ACCEPT']) await acceptUpstreams(servers);
    return { is: 'seen', snapshot: await snapshotServers(servers, process.env['TOOLWRIGHT_LOOK_TENANT']) };
  } catch (error) {
    return { is: 'failed', message: describeFailedStart(error) };
  }
}

async function exportedServer(): Promise<McpServer> {
  const all = await loadEntry();
  for (const name of NAMES) {
    const exported = all[name];
    const server: unknown = await (typeof exported === 'function' ? (exported as () => unknown)() : exported);
    if (isServer(server)) return server;
  }
  const names = 'export createServer, a function that returns what createMcpServer returns';
  throw new Error(`${basename(process.argv[1]!)} makes no server and exports none: ${names}.`);
}

/** What the app's file exports, as soon as it has been loaded. */
async function loadEntry(): Promise<Record<string, unknown>> {
  const loaded = (await import(pathToFileURL(process.argv[1]!).href)) as Record<string, unknown>;
  return { ...(loaded['default'] as Record<string, unknown> | undefined), ...loaded };
}

const isServer = (value: unknown): value is McpServer =>
  typeof (value as { protocol?: { workOnTasks?: unknown } } | null)?.protocol?.workOnTasks === 'function';
