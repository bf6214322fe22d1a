import { count, duration, filledText, flag, required } from '../base/options/rules.js';
import type { Duration } from '../base/options/option-schema.js';
import type { OptionSchema } from '../base/options/option-schema.js';
import { recording, type MethodOnlyDecorator } from './recording.js';

export interface ScheduledOptions {
  /**
   * The name of the schedule: in logs, metrics and audit records, and for processes that share a task queue. It is
   * unique within a server. Default: `Class.method`. Give one if a bundler shortens the names of classes.
   */
  name?: string;
  /** The time zone of the expression, such as `'Europe/Vienna'`. Default `'UTC'`. */
  timeZone?: string;
  /**
   * How late a run may begin, if no process could begin it in time. A run that would begin later is left out.
   * Default `'1m'`.
   */
  catchUp?: Duration;
  /**
   * True when the method may run again although its process was lost, because all its effects stand in
   * `ctx.once`. It counts on a task queue only.
   */
  rerun?: boolean;
  /** How often a run that failed is repeated, on a task queue. Default 0. */
  retries?: number;
  /** The pause before the first retry; each further one is twice as long, up to an hour. Default `'1s'`. */
  backoff?: Duration;
}

/** What the decorator records. */
export interface ScheduleRecord extends ScheduledOptions {
  cron: string;
}

const scheduledOptions = {
  cron: required(filledText),
  name: filledText,
  timeZone: filledText,
  catchUp: duration,
  rerun: flag,
  retries: count,
  backoff: duration,
} satisfies OptionSchema<ScheduleRecord>;

/**
 * Runs a method at the times of a cron expression: of five fields, or of six with seconds in front. The method may
 * declare a `ToolContext`. It also works on an `@McpTool` without required arguments. See docs/schedules.md.
 *
 * @example
 * @Scheduled('0 3 * * *', { timeZone: 'Europe/Vienna' })
 * async rebuildIndex(ctx: ToolContext): Promise<void> { … }
 */
export function Scheduled(cron: string, options: ScheduledOptions = {}): MethodOnlyDecorator {
  return recording({ kind: 'schedule', options: { cron, ...options }, schema: scheduledOptions }, Scheduled);
}
