import { withDefaults, type OptionSchema } from '../../base/options/option-schema.js';
import {
  either,
  filledText,
  listOf,
  milliseconds,
  nothing,
  objectWith,
  storeWith,
} from '../../base/options/rules.js';
import type { TaskRunner } from '../../ports/task-runner.js';
import type { TaskStore } from '../../ports/task-store.js';

/** Options for calls that run on after their request is answered (the Tasks extension). */
export interface TaskOptions {
  /**
   * Keeps the tasks. Default: in memory, with at most 1,000 tasks for each principal, 10,000 for all
   * principals, and 1,000 for all anonymous callers together.
   */
  store?: TaskStore;
  /** Runs the tasks. Default: this process. */
  runner?: TaskRunner;
  /**
   * How many milliseconds a task and its result are kept, counted from its start. A task that still runs then
   * is stopped. `null`: they are kept as long as the store lives. Default one hour.
   */
  ttlMs?: number | null;
  /** How often clients should ask about a task, in milliseconds. Default 1,000. */
  pollIntervalMs?: number;
  /**
   * The names of the claims that a task keeps of its caller, for runners that keep tasks outside of the
   * process. Default: none.
   */
  claims?: readonly string[];
}

export type TaskSettings = Required<Pick<TaskOptions, 'ttlMs' | 'pollIntervalMs' | 'claims'>>;

const ONE_HOUR = 3_600_000;

export const taskOptions = {
  store: storeWith('create', 'get', 'note', 'ask', 'answer', 'end'),
  runner: objectWith('a runner with serve, start, drain', 'serve', 'start', 'drain'),
  ttlMs: { ...either(milliseconds, nothing), default: ONE_HOUR },
  pollIntervalMs: { ...milliseconds, default: 1_000 },
  claims: { ...listOf('a list of names', filledText), default: [] },
} satisfies OptionSchema<TaskOptions>;

/** The options with their defaults, without the store and the runner. */
export function resolveTasks(options: TaskOptions): TaskSettings {
  const { ttlMs, pollIntervalMs, claims } = withDefaults(taskOptions, options);
  return { ttlMs, pollIntervalMs, claims };
}
