/** The moments at which a schedule is due, in milliseconds since the epoch. */
export interface Ticks {
  /** The first one after `time`. */
  after(time: number): number | undefined;
  /** The last one before `time`. */
  before(time: number): number | undefined;
}

/** Reads a cron expression in a time zone, or says what is wrong with them. */
export type ReadCron = (cron: string, timeZone: string) => Ticks | { readonly problem: string };

/** The class `Cron` of croner. This package has no dependencies, so the caller passes the library. */
export type CronClass = new (
  expression: string,
  options: { timezone: string; mode: typeof MODE; paused: true },
) => {
  getOnce(): Date | null;
  nextRun(after?: Date): Date | null;
  previousRuns(count: number, before: Date): Date[];
};

/** Fewer than five fields leave out too much, and a seventh one is a year. */
const MODE = '5-or-6-parts';

/** What counts as a cron expression, for the compiler and for the server. */
export function cronReader(Cron: CronClass): ReadCron {
  return (cron, timeZone) => {
    if (!isTimeZone(timeZone)) return { problem: `"${timeZone}" is no time zone` };
    try {
      const read = new Cron(cron, { timezone: timeZone, mode: MODE, paused: true });
      // The library also takes a date, for something that happens once.
      if (read.getOnce()) return { problem: `"${cron}" is a date` };
      if (!read.nextRun()) return { problem: `"${cron}" is never due` };
      return {
        after: (time) => read.nextRun(new Date(time))?.getTime(),
        before: (time) => read.previousRuns(1, new Date(time))[0]?.getTime(),
      };
    } catch (error) {
      return { problem: `"${cron}" is no cron expression (${messageOf(error)})` };
    }
  };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Without the name of the library's class, and without the end of the sentence. */
function messageOf(error: unknown): string {
  return (error as Error).message.replace(/^\w+: /, '').replace(/\.$/, '');
}
