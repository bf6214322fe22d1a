import { type Duration, type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import { type Logger, loggerRule, stderrLogger } from '@toolwright/core/ports';
import { stopOnSignals } from '@toolwright/core/transport';
import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { SERVER_OBSERVER } from '@toolwright/json';
import { WORKER_VARIABLE } from './link/messages.js';
import { WorkerPool } from './primary/worker-pool.js';
import { type StartWorker, requireUse, runInWorker } from './worker/run-in-worker.js';

export interface RunWorkersOptions {
  /**
   * How many processes serve. Default: as many as there are processors for this process. 0: this process serves by
   * itself, as it does under `toolwright dev`.
   */
  workers?: number;
  /**
   * How long a worker may take to stop; then it is killed. It must be more than what the server in it
   * takes: `drainDelay` and `grace` of `serveHttp`. Default 1 minute. More than 0.
   */
  stopTimeout?: Duration;
  /**
   * After how long without an answer a worker is killed and replaced: its event loop is blocked, or its process was
   * stopped (SIGSTOP), so that its clients get nothing. Default 10 seconds. 0: never. Workers that are started with a
   * debugger (`--inspect`) are never replaced.
   */
  unresponsiveTimeout?: Duration;
  /** Stops all workers on SIGTERM, SIGINT and SIGHUP, and then exits. Default true. */
  signals?: boolean;
  /**
   * Gets a line when a worker has ended or hangs, and when no file descriptor is free. Default: standard error, as
   * JSON.
   */
  logger?: Logger;
}

/** The workers, seen from the process that started them. */
export interface RunningWorkers {
  /** The URL of what the workers serve, if they say so. */
  readonly url: string | undefined;
  /** The process ids of the workers that run. */
  readonly pids: readonly number[];
  /** Lets all workers finish their calls. Resolves when they have ended. */
  close(): Promise<void>;
}

const { count, duration, durationFromZero, flag, named } = optionRules;

const schema = {
  workers: { ...named('a whole number of processes', count) },
  stopTimeout: { ...duration, default: 60_000 },
  unresponsiveTimeout: { ...durationFromZero, default: 10_000 },
  signals: { ...flag, default: true },
  logger: loggerRule,
} satisfies OptionSchema<RunWorkersOptions>;

/**
 * Serves with several processes of this machine behind one port. The file that calls this runs in all of them.
 * `start` runs in the workers only, and what follows `await runWorkers(…)` in the primary process only. The primary
 * process keeps what the workers share, starts a worker again that has ended, and lets all of them drain when it is
 * asked to stop.
 *
 * @throws {ConfigurationError} with all problems of the options
 * @throws {Error} when a worker ends before it serves, or when this process is a worker of another cluster
 * @example
 * const { url } = await runWorkers({ workers: 4 }, async ({ stores }) => {
 *   const server = await createMcpServer({ name: 'pages', version: '1.0.0', services: [PageTools], stores });
 *   return serveHttp(server, { port: 3000 });
 * });
 * console.log(`pages listening on ${url}`);
 */
export async function runWorkers(given: RunWorkersOptions, start: StartWorker): Promise<RunningWorkers> {
  const options = parseOptions('runWorkers', schema, given);
  if (isOurWorker()) return runInWorker(start);
  const { workers = availableParallelism(), stopTimeout, signals, logger = stderrLogger() } = options;
  if (workers === 0 || isDeveloped()) return runHere(start);
  if (cluster.isWorker)
    throw new Error(
      'runWorkers: this process is a worker of another cluster, such as that of PM2. Start one process in fork mode, or set "workers" to 0 and share stores in another way (docs/fleet.md).',
    );
  const unresponsiveMs = isDebugged() ? 0 : options.unresponsiveTimeout;
  const pool = new WorkerPool({ workers, stopMs: stopTimeout, unresponsiveMs, logger });
  if (signals) stopOnSignals(() => pool.stop().then(() => pool.isClean));
  await pool.start();
  return {
    url: pool.url,
    get pids() {
      return pool.pids;
    },
    close: () => pool.stop(),
  };
}

/** Processes that a worker starts must not take themselves for workers. */
function isOurWorker(): boolean {
  const isOurs = cluster.isWorker && process.env[WORKER_VARIABLE] !== undefined;
  delete process.env[WORKER_VARIABLE];
  return isOurs;
}

/** A worker that waits at a breakpoint does not answer. */
function isDebugged(): boolean {
  return /--inspect/.test([...process.execArgv, process.env['NODE_OPTIONS']].join(' '));
}

/** One process shares nothing. Options that several processes could not serve are still refused. */
async function runHere(start: StartWorker): Promise<RunningWorkers> {
  const use = { isUsed: false };
  const stores = {
    anyProcess: true,
    secrets: [randomBytes(32).toString('base64')],
    open: () => void (use.isUsed = true),
  };
  const service = await start({ stores, number: 0 });
  requireUse(use);
  return { url: service.url, pids: [process.pid], close: async () => void (await service.close()) };
}

/** True in a process of `toolwright dev`. */
function isDeveloped(): boolean {
  return SERVER_OBSERVER in globalThis;
}
