import type { Definition } from '../types/tjs-internals.js';

/** Whether types and bounds are not enough to decide if a constant matches. */
export function isHardToTell(value: unknown, { format, not, allOf, $ref }: Definition): boolean {
  const isKeyed =
    typeof value === 'object' && value !== null && !(Array.isArray(value) && value.length === 0);
  return isKeyed || [format, not, allOf, $ref].some((keyword) => keyword !== undefined);
}
