/** A time this near to the call was made by it, or by what happened shortly before. */
const NEAR_MS = 24 * 60 * 60 * 1_000;

/** What is relative to the call, such as the end of a month's subscription, may be off by this much. */
const OFF_MS = 60_000;

/** The moments of one call: when it was recorded, and when it was replayed, in milliseconds since the epoch. */
export interface Moments {
  readonly recorded: number;
  readonly replayed: number;
}

/**
 * Whether two times mean the same: both are near to their call, or both are as far from it. A meeting that is an hour later than
 * it was is a difference.
 */
export function areSameTimes(recorded: number, replayed: number, moments: Moments): boolean {
  if (Number.isNaN(recorded) || Number.isNaN(replayed)) return false;
  const [was, is] = [recorded - moments.recorded, replayed - moments.replayed];
  if (Math.abs(was) <= NEAR_MS && Math.abs(is) <= NEAR_MS) return true;
  return Math.abs(was - is) <= OFF_MS;
}

/** The moment of a number that may be one, in milliseconds since the epoch: of seconds or milliseconds, from 2001 to 2100. */
export function momentIn(value: number): number | undefined {
  if (!Number.isFinite(value)) return undefined;
  if (value >= 1e12 && value < 4.2e12) return value;
  return value >= 1e9 && value < 4.2e9 ? value * 1_000 : undefined;
}
