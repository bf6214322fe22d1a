import type { InspectedEntry } from '@toolwright/schema-compiler';

/** When a method runs by itself, such as `0 3 * * * (Europe/Vienna)`. */
export function describeSchedule({ cron, timeZone }: NonNullable<InspectedEntry['schedule']>): string {
  if (cron === undefined) return 'times that are known when the server starts';
  return `${cron} (${timeZone ?? 'time zone known when the server starts'})`;
}
