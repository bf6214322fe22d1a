/** Every error code of this package, with its meaning. docs/errors.md lists the same codes. */
export const scheduleErrorCatalogue = {
  TW_SCHEDULE_INVALID: 'A method cannot run by its schedule.',
} as const;

export type ScheduleErrorCode = keyof typeof scheduleErrorCatalogue;
