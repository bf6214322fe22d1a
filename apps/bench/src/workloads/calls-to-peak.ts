import { quantile } from '../report/statistics.js';

/** Calls whose rate is looked at together: fewer are noise, more hide a quick rise. */
const WINDOW = 250;
const PEAK = 0.95;

/**
 * How many calls a new process has answered when, for the first time, its last 250 calls had 95 % of the steady rate. The
 * steady rate is the median rate of the windows of the second half.
 *
 * @param times when each answer came, in milliseconds since the load began, in order
 * @throws {Error} too few answers to tell
 */
export function callsToPeak(times: readonly number[]): number {
  const half = Math.floor(times.length / 2);
  if (half < 2 * WINDOW) throw new Error(`too few answers to find a steady rate: ${times.length}`);
  const rateFrom = (index: number) => WINDOW / (times[index + WINDOW]! - (times[index] ?? 0));
  const late: number[] = [];
  for (let index = half; index + WINDOW < times.length; index += WINDOW) late.push(rateFrom(index));
  const steady = quantile(
    late.sort((a, b) => a - b),
    0.5,
  );
  let index = 0;
  while (index < half && rateFrom(index) < PEAK * steady) index++;
  return index + WINDOW;
}
