import type { Definition } from '../generator/tjs-adapter.js';

/** Whether types and bounds are not enough to decide if a constant matches. */
export function needsFullValidation(value: unknown, { format, not, allOf, $ref }: Definition): boolean {
  const isKeyed =
    typeof value === 'object' && value !== null && !(Array.isArray(value) && value.length === 0);
  return isKeyed || [format, not, allOf, $ref].some((keyword) => keyword !== undefined);
}
