import { cronReader, type ReadCron } from '@toolwright/manifest';

export type { ReadCron, Ticks } from '@toolwright/manifest';

/** Loads the library for cron expressions. Servers without schedules never load it. */
export async function loadCron(): Promise<ReadCron> {
  const { Cron } = await import('croner');
  return cronReader(Cron);
}
