import { isSealed } from '../../ui/sealed.js';

/** How many values of a message the server has hidden. */
export function sealedIn(value: unknown): number {
  if (isSealed(value)) return 1;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + sealedIn(each), 0);
}
