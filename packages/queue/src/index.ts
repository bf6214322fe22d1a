export { TaskQueue } from './task-queue.js';
export type { QueuedTask, QueueWorker, ServedWork, WorkLease, WorkOutcome } from './queue-port.js';
export { openTaskRecord, taskSeals, type TaskSeals } from './task-seal.js';
