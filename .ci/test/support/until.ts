import { setTimeout as pause } from 'node:timers/promises';

/** Only what never comes waits this long. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 5;

/** Waits until something is so. A loop without an end would outlive its test. */
export async function until(isSo: () => unknown): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`It never happened that ${String(isSo)}.`);
    await pause(PAUSE_MS);
  }
}
