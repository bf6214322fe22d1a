const FIRST_MS = 100;
const LONGEST_MS = 30_000;

/** How many milliseconds pass before a worker is started again that has ended so many times in a row. */
export function restartDelay(endings: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(20, endings - 1));
}
