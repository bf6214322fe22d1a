import type { Clock } from './clock.js';

/** A parent whose constructor the derived classes inherit. */
export abstract class StoreBase {
  constructor(protected readonly clock: Clock) {}
}
