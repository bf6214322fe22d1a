import type { BootContext } from '../../ports/boot-context.js';
import { MemoryTaskStore } from '../../ports/memory-task-store.js';
import { ProcessTaskRunner } from '../../ports/task-runner.js';
import type { Codec } from '../codecs/codec.js';
import type { ProtocolHost } from '../protocol-host.js';
import type { ProtocolOptions } from '../protocol-options.js';
import type { Telemetry } from '../requests/telemetry.js';
import { QueuedWork } from './queued/queued-work.js';
import { SealedTaskQueue } from './queued/sealed-task-queue.js';
import { taskSeals } from './queued/task-seal.js';
import type { TaskSettings } from './task-options.js';
import { Tasks } from './tasks.js';

interface TaskParts {
  readonly settings: TaskSettings;
  readonly codecs: ReadonlyMap<string, Codec>;
  readonly telemetry: Telemetry;
  readonly boot: BootContext;
}

/** The tasks of a server: in this process, or on a queue. */
export function createTasks(
  host: ProtocolHost,
  { tasks: options = {} }: ProtocolOptions,
  { settings, codecs, telemetry, boot }: TaskParts,
): Tasks {
  const { clock, info } = host;
  const { queue, secrets = [], store, runner = new ProcessTaskRunner(clock) } = options;
  if (!queue) return new Tasks(host, settings, { store: store ?? new MemoryTaskStore(clock), runner });
  const sealed = new SealedTaskQueue(queue, taskSeals(secrets, info.name, host.logger));
  const { claims, onContractChange, unservedMs, maxResultBytes, pollIntervalMs } = settings;
  const tell = (taskId: string): void => tasks.tell(taskId);
  const limits = { claims, pollIntervalMs, onContractChange, unservedMs, maxResultBytes };
  const ports = { host, codecs, telemetry, boot, ...limits, tell };
  const queued = new QueuedWork(sealed, ports);
  if (options.concurrency === undefined) queued.warnIfIdle();
  const tasks: Tasks = new Tasks(host, settings, { store: sealed, runner, queued });
  return tasks;
}
