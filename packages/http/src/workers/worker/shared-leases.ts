import type { LeaseLimit, LeaseStore, ReleaseLease } from '@toolwright/core';
import { finite } from '../link/finite.js';
import { PATIENCE_MS } from './patience.js';
import type { PrimaryLink } from './primary-link.js';

/** Leases that the primary process counts. It takes back those of a worker that ends. */
export class SharedLeases implements LeaseStore {
  readonly patienceMs = PATIENCE_MS;
  constructor(private readonly link: PrimaryLink) {}

  async acquire(limits: readonly LeaseLimit[]): Promise<ReleaseLease | undefined> {
    const lease = await this.link.ask<number | undefined>([
      'lease',
      limits.map(({ key, max }) => ({ key, max: finite(max) })),
    ]);
    if (lease === undefined) return undefined;
    let isHeld = true;
    return () => {
      if (isHeld) this.link.post(['release', lease]);
      isHeld = false;
    };
  }
}
