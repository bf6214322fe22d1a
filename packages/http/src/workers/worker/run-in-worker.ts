import type { ServerStores } from '@toolwright/core/ports';
import { onStopSignals } from '@toolwright/core/transport';
import cluster from 'node:cluster';
import type { WorkerOrders } from '../link/messages.js';
import { PrimaryLink } from './primary-link.js';
import { WorkerStores } from './worker-stores.js';

/** How many milliseconds the application has to say why it could not start. */
const FAREWELL_MS = 2_000;

/**
 * Serves in this worker until it is stopped.
 *
 * @returns never, unless it could not start
 * @throws what `start` throws
 */
export async function runInWorker(start: StartWorker): Promise<never> {
  const link = new PrimaryLink({
    // The primary process may have ended. Node.js ends this one then, too.
    send: (envelope) => void process.send?.(envelope, undefined, undefined, () => undefined),
    listen: (hear) => void process.on('message', hear),
  });
  let service: WorkerService | undefined;
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    // A server that does not serve yet has no calls to finish.
    Promise.resolve(service?.close()).then(
      () => process.exit(),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  link.on('stop', stop);
  link.on('beat', () => link.post(['alive']));
  const stopAlone = () => {
    link.post(['leaving']);
    stop();
  };
  // A terminal sends its signals to this process, too.
  onStopSignals(stopAlone);
  link.post(['hello']);
  try {
    const { number, secret } = await new Promise<WorkerOrders>((resolve) => link.on('begin', resolve));
    const stores = new WorkerStores(link, secret);
    service = await start({ stores, number });
    requireUse(stores);
  } catch (error) {
    // The error goes to the caller, and this process ends even if it has opened something.
    cluster.worker?.disconnect();
    setTimeout(() => process.exit(1), FAREWELL_MS).unref();
    throw error;
  }
  link.post(['ready', service.url ?? null]);
  return new Promise<never>(() => undefined);
}

/** @throws {Error} when no server has booted with these stores */
export function requireUse({ isUsed }: { readonly isUsed: boolean }): void {
  if (isUsed) return;
  throw new Error(
    'runWorkers: no server was made with the stores of its worker, so each worker would count limits and keep sessions for itself. Pass them on: createMcpServer({ …, stores: [stores] }).',
  );
}

/** What a worker gets. */
export interface WorkerSetup {
  /** What the workers share: limits, slots, sessions, streams, events and secrets. Pass it to `createMcpServer`. */
  readonly stores: ServerStores;
  /** From 1 on. The worker that takes the place of another one has the same number. 0: there are no workers. */
  readonly number: number;
}

/** What a worker serves. `serveHttp` returns such an object. */
export interface WorkerService {
  /** What clients connect to. */
  readonly url?: string;
  /** Refuses new requests, waits for the running ones, and closes everything. */
  close(): Promise<unknown>;
}

/** Makes a server and lets it listen. It runs in each worker. */
export type StartWorker = (worker: WorkerSetup) => Promise<WorkerService>;
