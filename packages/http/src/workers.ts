// Several processes of one machine behind one port. It loads node:cluster.
export { runWorkers, type RunningWorkers, type RunWorkersOptions } from './workers/run-workers.js';
export type { StartWorker, WorkerService, WorkerSetup } from './workers/worker/run-in-worker.js';
