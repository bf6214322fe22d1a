import type { ServerStores } from '@toolwright/core';

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
