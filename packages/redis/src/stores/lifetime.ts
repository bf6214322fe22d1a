/** One hundred years. Redis refuses times that it cannot add to its clock. */
const LONGEST_MS = 3_155_760_000_000;

/** Redis takes whole milliseconds from 1 on. */
export function lifetime(ms: number): string {
  return String(Math.min(LONGEST_MS, Math.max(1, Math.ceil(ms))));
}
