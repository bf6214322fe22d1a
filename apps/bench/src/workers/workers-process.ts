import { serveHttp, type ServeHttpOptions } from '@toolwright/http';
import { runWorkers, type RunningWorkers } from '@toolwright/http/workers';
import { toolwrightServer } from '../contestants/toolwright-server.js';
import type { Settings } from '../contestants/settings.js';

/** What a server of this comparison is told. */
export interface WorkersSettings extends Settings {
  /** 0: one process that shares nothing. */
  workers: number;
  /** Each call comes from a caller of its own, so that no worker knows its limit. */
  strangers: boolean;
}

/** What it tells when it serves. */
export interface WorkersReady {
  port: number;
  pids: number[];
}

/** Serves until its standard input ends. */
async function main(): Promise<void> {
  const settings = JSON.parse(process.argv[2]!) as WorkersSettings;
  let calls = 0;
  const principal = () => ({ subject: `${process.pid}-${calls++}`, scopes: [] });
  const http = { port: 0, ...(settings.strangers && { principal }) };
  const running = settings.redis
    ? await serveReplica(settings, http)
    : await runWorkers({ workers: settings.workers }, async ({ stores }) =>
        serveHttp(await toolwrightServer(settings, { stores }), http),
      );
  const ready: WorkersReady = {
    port: Number(new URL(running.url!).port),
    pids: [...new Set([process.pid, ...running.pids])],
  };
  console.log(JSON.stringify(ready));
  process.stdin.once('end', () => void running.close().then(() => process.exit(0))).resume();
}

/** Its stores are those of the Redis that it is given. */
async function serveReplica(settings: Settings, http: ServeHttpOptions): Promise<RunningWorkers> {
  const { url, close } = await serveHttp(await toolwrightServer(settings), http);
  return { url, pids: [], close: async () => void (await close()) };
}

void main();
