/** What core writes in the place of a value that is marked sensitive, and of sealed states. */
const SEALED = '[sensitive]';

export function isSealed(value: unknown): boolean {
  return value === SEALED;
}
