import { type Duration, type OptionSchema, optionRules } from '@toolwright/core/options';

const { count, duration, filledText, flag, required } = optionRules;

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
   * Default `'1m'`. More than 0.
   */
  catchUp?: Duration;
  /**
   * True when the method may run again although its process was lost, because all its effects stand in
   * `ctx.once`. It counts on a task queue only.
   */
  rerun?: boolean;
  /** How often a run that failed is repeated, on a task queue. Default 0. */
  retries?: number;
  /**
   * The pause before the first retry; each further one is twice as long, up to an hour. Default `'1s'`. More
   * than 0.
   */
  backoff?: Duration;
}

/** What the decorator records. */
export interface ScheduleRecord extends ScheduledOptions {
  cron: string;
}

export const scheduledOptions = {
  cron: required(filledText),
  name: filledText,
  timeZone: { ...filledText, default: 'UTC' },
  catchUp: { ...duration, default: 60_000 },
  rerun: flag,
  retries: count,
  backoff: duration,
} satisfies OptionSchema<ScheduleRecord>;
