import { setTimeout as pause } from 'node:timers/promises';

/** Waits until a test of the state is true. A loop without an end would outlive its test. */
export async function until(test: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 800; round++) {
    if (await test()) return;
    await pause(5);
  }
  throw new Error('What the test waits for has not come.');
}
