import { createHash } from 'node:crypto';

/** What a running class shows of itself even if a bundler has shortened its name. */
export interface ClassOutline {
  /** The names of its own methods and accessors. Symbols and `#private` names are left out. */
  members: readonly string[];
  /** The same for static ones. */
  statics: readonly string[];
  /** The number of constructor parameters before the first one with a default. */
  arity: number;
  /** Whether it extends another class. */
  isDerived: boolean;
}

/**
 * A hash of what a class shows at build time and at boot. Minifiers shorten the names of classes, but not the names
 * of methods. So the hash tells classes apart in a bundle whose class names are gone.
 *
 * @returns 16 hexadecimal digits; the order of the members does not matter
 */
export function outlineOf({ members, statics, arity, isDerived }: ClassOutline): string {
  const parts = [[...members].sort(), [...statics].sort(), arity, isDerived];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
