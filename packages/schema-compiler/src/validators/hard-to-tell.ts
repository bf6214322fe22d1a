import type { Definition } from '../types/tjs-internals.js';

/** Whether it takes more than types and bounds to tell if a constant fits. */
export function isHardToTell(value: unknown, { format, not, allOf, $ref }: Definition): boolean {
  const isKeyed =
    typeof value === 'object' && value !== null && !(Array.isArray(value) && value.length === 0);
  return isKeyed || [format, not, allOf, $ref].some((keyword) => keyword !== undefined);
}
