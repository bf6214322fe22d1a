import type { Engine } from '../protocol/engine.js';
import type { ScheduleState } from './server-state.js';

/** The schedules that this process runs, what is due first in front. */
export function openSchedules({ scheduler }: Engine): ScheduleState[] {
  return scheduler
    .outlook()
    .map(({ schedule: { name, cron, timeZone }, next, last }) => ({
      name,
      cron,
      timeZone,
      ...(next !== undefined && { nextAt: next }),
      ...(last && { last }),
    }))
    .sort((one, other) => (one.nextAt ?? Infinity) - (other.nextAt ?? Infinity));
}
