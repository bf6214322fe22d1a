export { Scheduled } from './scheduled.js';
export type { ScheduledOptions } from './schedule-options.js';
export { extension } from './extension.js';
export type { ScheduleState } from '@toolwright/json';
export type { Schedule, ScheduleBackend, ScheduleOutcome, ScheduleTimes } from './schedule-backend.js';
export { scheduleErrorCatalogue, type ScheduleErrorCode } from './errors.js';
