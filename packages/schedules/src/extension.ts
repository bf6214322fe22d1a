import { type ScheduleState, ONLY_INSPECTED, present } from '@toolwright/json';
import type { BackgroundPart, Extension, ExtensionHost } from '@toolwright/core/extend';
import { withDefaults } from '@toolwright/core/options';
import { cronReader } from '@toolwright/manifest';
import { Cron } from 'croner';
import { scheduleMetrics } from './metrics.js';
import { ProcessRuns, QueuedRuns, type ScheduleTimes } from './schedule-backend.js';
import { type ScheduleRecord, scheduledOptions } from './schedule-options.js';
import { Scheduler } from './scheduler.js';

declare module '@toolwright/core/extend' {
  interface ExtraState {
    /** What is due first, first. Empty in a process that runs no schedules; missing in a server without any. */
    readonly schedules?: readonly ScheduleState[];
  }
  interface ExtraErrorCodes {
    TW_SCHEDULE_INVALID: true;
  }
  interface BackgroundNouns {
    schedule: true;
  }
}

/** Runs the methods with `@Scheduled`. A server that has one starts it by itself. */
export const extension: Extension = {
  name: '@toolwright/schedules',
  start: startSchedules,
};

/**
 * `off`: this process begins no run. With a task queue it may still work on runs that others begin. All processes of a
 * server have the same code, so this is a variable and not an option.
 */
const SWITCH = 'TOOLWRIGHT_SCHEDULES';

const TICKS = 'toolwright.server.schedule.ticks';

function startSchedules({ clock, logger, counter, ticks }: ExtensionHost) {
  const [, unit, description] = scheduleMetrics[TICKS];
  const count = counter(TICKS, { unit, description });
  const backend = ticks ? new QueuedRuns(ticks.now) : new ProcessRuns(clock);
  const scheduler = new Scheduler({
    clock,
    logger,
    backend,
    countTick: (schedule, outcome, by) =>
      count({ 'toolwright.schedule.name': schedule, 'toolwright.schedule.outcome': outcome }, by),
  });
  const background: BackgroundPart = {
    noun: 'schedule',
    participle: 'scheduled',
    draft: readSchedule,
    changed: (methods) => scheduler.follow(methods),
  };
  const isOn = process.env[SWITCH] !== 'off' && !(ONLY_INSPECTED in globalThis);
  return {
    background,
    state: { schedules: () => statesOf(scheduler) },
    ready: () => void (isOn && scheduler.start()),
    drain: (graceMs: number) => scheduler.drain(graceMs),
  };
}

const readCron = cronReader(Cron);

/** What the decorator of a method says. */
function readSchedule(options: ScheduleRecord, label: string): ReturnType<BackgroundPart['draft']> {
  const { cron, timeZone, catchUp: catchUpMs } = withDefaults(scheduledOptions, options);
  const { name = label, rerun, retries, backoff } = options;
  const ticks = readCron(cron, timeZone);
  if ('problem' in ticks) return { problem: badTime(label, ticks.problem) };
  const data: ScheduleTimes = { cron, timeZone, ticks, catchUpMs };
  return {
    name,
    data,
    task: present({ rerun, retries, backoff }),
  };
}

function badTime(label: string, problem: string) {
  return {
    message: `The schedule of ${label} cannot be used: ${problem}.`,
    fix: "Write five fields (minute, hour, day, month, weekday) such as '0 3 * * *', or six with seconds in front; and a time zone such as 'Europe/Vienna'.",
  };
}

/** The schedules that this process runs, what is due first in front. */
function statesOf(scheduler: Scheduler): ScheduleState[] {
  return scheduler
    .outlook()
    .map(({ schedule: { name, data }, next, last }) => ({
      name,
      cron: data.cron,
      timeZone: data.timeZone,
      ...(next !== undefined && { nextAt: next }),
      ...(last && { last }),
    }))
    .sort((one, other) => (one.nextAt ?? Infinity) - (other.nextAt ?? Infinity));
}
