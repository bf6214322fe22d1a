import type { Duration } from '@toolwright/ground/base/options/option-schema';
import {
  withDefaults,
  type OptionSchema,
  type WithDefaults,
} from '@toolwright/ground/base/options/option-schema';
import {
  count,
  duration,
  durationToInfinity,
  either,
  filledText,
  listOf,
  anyDuration,
  nothing,
  oneOf,
  positiveCount,
} from '@toolwright/ground/base/options/rules';

/** Options for calls that run on after their request is answered (the Tasks extension). */
export interface TaskOptions {
  /**
   * How many tasks of the queue this process works on at a time. 0: none; other processes do the work (see
   * `serveTasks`). Default 0, and a warning in the log if nobody calls `serveTasks`.
   */
  concurrency?: number;
  /**
   * What happens to a queued task when the tool of this process has another input schema or another behaviour
   * (annotations) than the tool that was called; words do not count. `'fail'`: the task waits for a process that has
   * the former tool, and fails when there was none for `unservedTimeout`. `'run'`: it is carried out; its arguments are
   * validated again. Default `'fail'`.
   */
  onContractChange?: 'fail' | 'run';
  /**
   * How long a queued task waits while no process that works has its tool. Then it fails and says why. Give
   * a release the time that it takes. Default 5 minutes.
   * 0: it fails at once; `Infinity`: it waits as long as it is kept.
   */
  unservedTimeout?: Duration;
  /**
   * How many bytes of JSON the result of a queued task may have. A task with a larger result fails; its tool
   * should return a resource link. Default 1 MiB.
   */
  maxResultBytes?: number;
  /**
   * How long a task and its result are kept, counted from its start. A task that still runs then
   * is stopped. `null`: they are kept as long as the store lives. Default one hour.
   * More than 0; `Infinity` is the same as `null`.
   */
  ttl?: Duration | null;
  /** How often clients should ask about a task. Default `'1s'`. More than 0. */
  pollInterval?: Duration;
  /**
   * The names of the claims that a queued task keeps of its caller. Default: none.
   */
  claims?: readonly string[];
}

export type TaskSettings = Required<WithDefaults<TaskOptions>>;

const FIVE_MINUTES = 300_000;
const ONE_HOUR = 3_600_000;
const ONE_MIB = 1_048_576;

export const taskOptions = {
  concurrency: { ...count, default: 0 },
  onContractChange: { ...oneOf('fail', 'run'), default: 'fail' },
  unservedTimeout: { ...anyDuration, default: FIVE_MINUTES },
  maxResultBytes: { ...positiveCount, default: ONE_MIB },
  ttl: { ...either(durationToInfinity, nothing), default: ONE_HOUR },
  pollInterval: { ...duration, default: 1_000 },
  claims: { ...listOf('a list of names', filledText), default: [] },
} satisfies OptionSchema<TaskOptions>;

/** The options with their defaults. */
export function resolveTasks(options: TaskOptions): TaskSettings {
  const settings = withDefaults(taskOptions, options);
  // JSON, and some stores, have no Infinity.
  return settings.ttl === Infinity ? { ...settings, ttl: null } : settings;
}
