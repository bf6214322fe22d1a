import { timingSafeEqual } from 'node:crypto';

/** Whether two texts are equal. It takes the same time wherever they differ, so nobody learns how much of a guess is right. */
export function isSameSecret(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}
