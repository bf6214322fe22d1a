export { Scheduled } from './scheduled.js';
export type { ScheduledOptions } from './schedule-options.js';
export { extension } from './extension.js';
export type { ScheduleState } from './extension.js';
export type { ScheduleBackend, ScheduleOutcome } from './schedule-backend.js';
export type { Schedule, ScheduleTimes } from './scheduler.js';
export { scheduleErrorCatalogue, type ScheduleErrorCode } from './errors.js';
