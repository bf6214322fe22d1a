import { randomBytes } from 'node:crypto';
import type { ClaimStore, Clock } from '@toolwright/core/ports';

/** How long a nonce is handed out, in milliseconds. It is accepted for twice as long. */
const LIFETIME_MS = 300_000;

/**
 * The nonces of a server. Each process makes a new one every five minutes, and leaves it in the claim store, so that every
 * other process knows it.
 */
export class DpopNonces {
  #current: { value: string; madeAt: number } | undefined;

  constructor(private readonly served: { readonly clock: Clock; readonly claims: ClaimStore }) {}

  /** The nonce that clients use now. */
  async current(): Promise<string> {
    const { clock, claims } = this.served;
    const now = clock.now();
    const known = this.#current;
    if (known && now - known.madeAt < LIFETIME_MS && now >= known.madeAt) return known.value;
    const value = randomBytes(16).toString('base64url');
    await claims.claim(keyOf(value), 2 * LIFETIME_MS);
    this.#current = { value, madeAt: now };
    return value;
  }

  async knows(nonce: unknown): Promise<boolean> {
    if (typeof nonce !== 'string' || !/^[\w-]{22}$/.test(nonce)) return false;
    const { claims } = this.served;
    if (claims.has) return claims.has(keyOf(nonce));
    return nonce === this.#current?.value;
  }
}

const keyOf = (nonce: string): string => `dpop nonce ${nonce}`;
