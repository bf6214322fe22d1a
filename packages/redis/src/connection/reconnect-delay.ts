const FIRST_MS = 50;
const LONGEST_MS = 2_000;

/**
 * How long to wait before the next attempt to connect. It doubles with each attempt, up to 2 s. Up to half of
 * it is random, so that the processes of a fleet do not all come back at the same moment.
 */
export function reconnectDelay(attempts: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempts, 10));
  return Math.round(longest * (1 - Math.random() / 2));
}
