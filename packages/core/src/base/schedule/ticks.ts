/** The moments at which a schedule is due, in milliseconds since the epoch. */
export interface Ticks {
  /** The first one after `time`. */
  after(time: number): number | undefined;
  /** The last one before `time`. */
  before(time: number): number | undefined;
}

/** Reads cron expressions. */
export type ReadCron = (cron: string, timeZone: string) => Ticks | { readonly fault: string };

/** Fewer than five fields leave out too much, and a seventh one is a year. */
const MODE = '5-or-6-parts';

/**
 * Loads the library for cron expressions. Servers without schedules never load it.
 *
 * @returns a function that says what is wrong with an expression or a time zone that cannot be used
 */
export async function loadCron(): Promise<ReadCron> {
  const { Cron } = await import('croner');
  return (cron, timeZone) => {
    if (!isTimeZone(timeZone)) return { fault: `"${timeZone}" is no time zone` };
    try {
      const read = new Cron(cron, { timezone: timeZone, mode: MODE, paused: true });
      // The library also takes a date, for something that happens once.
      if (read.getOnce()) return { fault: `"${cron}" is a date` };
      if (!read.nextRun()) return { fault: `"${cron}" is never due` };
      return ticksOf(read);
    } catch (error) {
      return { fault: `"${cron}" is no cron expression (${messageOf(error)})` };
    }
  };
}

/** The part of the library's expression that is used. */
interface ReadExpression {
  nextRun(after: Date): Date | null;
  previousRuns(count: number, before: Date): Date[];
}

function ticksOf(cron: ReadExpression): Ticks {
  return {
    after: (time) => cron.nextRun(new Date(time))?.getTime(),
    before: (time) => cron.previousRuns(1, new Date(time))[0]?.getTime(),
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
