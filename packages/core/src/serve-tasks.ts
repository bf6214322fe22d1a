import { type OptionSchema, parseOptions } from '@toolwright/ground/base/options/option-schema';
import type { Duration } from '@toolwright/ground/base/options/option-schema';
import { anyDuration, flag, positiveCount } from '@toolwright/ground/base/options/rules';
import { stopOnSignals } from '@toolwright/json';
import { type WhenUnhandled, watchUnhandled, whenUnhandledOption } from './protocol/protocol.js';
import type { McpServer } from './server.js';

export interface ServeTasksOptions {
  /** How many tasks the process works on at a time. Default 10. */
  concurrency?: number;
  /**
   * How long running tasks may work on when the process stops. Default 30 seconds. 0: they are stopped at
   * once; `Infinity`: until they end.
   */
  grace?: Duration;
  /** Stops gracefully on SIGTERM, SIGINT and SIGHUP, and then exits. Default true. */
  signals?: boolean;
  /** What happens when nobody handles a failure, such as a promise without `await`. It needs `signals`. Default `drain`. */
  whenUnhandled?: WhenUnhandled;
}

/** A process that works on tasks. */
export interface TaskService {
  /**
   * Takes no more tasks, and waits for the tasks that run. Tasks that take too long are given back to the queue. Then
   * it closes the server and everything behind it.
   */
  close(): Promise<void>;
}

const options = {
  concurrency: { ...positiveCount, default: 10 },
  grace: anyDuration,
  signals: { ...flag, default: true },
  whenUnhandled: whenUnhandledOption,
} satisfies OptionSchema<ServeTasksOptions>;

/**
 * Works on the tasks of the server's queue. Use it in processes that serve no clients; a process that does both
 * sets `tasks.concurrency`.
 *
 * @throws {ConfigurationError} when the server has no task queue
 * @example
 * await serveTasks(await createMcpServer(options), { concurrency: 20 });
 */
export async function serveTasks(server: McpServer, given: ServeTasksOptions = {}): Promise<TaskService> {
  const { concurrency, grace, signals, whenUnhandled } = parseOptions('serveTasks', options, given);
  await server.protocol.workOnTasks(concurrency);
  let closing: Promise<void> | undefined;
  const close = () =>
    (closing ??= server.close(grace).finally(() => {
      unhook();
      unwatch();
    }));
  const unhook = signals ? stayUntilSignal(close) : () => undefined;
  const unwatch = signals ? watchUnhandled(whenUnhandled, [server.protocol]) : () => undefined;
  return { close };
}

const LONG_MS = 60_000;

function stayUntilSignal(close: () => Promise<void>): () => void {
  const unhook = stopOnSignals(close);
  // Such a process waits for work, also while its queue is away and no connection keeps it alive.
  const waiting = setInterval(() => {}, LONG_MS);
  return () => {
    clearInterval(waiting);
    unhook();
  };
}
