import { hash } from 'node:crypto';
import type { Principal } from '@toolwright/core';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import type { IssuerKeys } from './issuer-keys.js';
import type { TokenProof } from './token-proof.js';
import type { TokenClaims } from './trusted-issuer.js';

/** What was found out about a token that was accepted. */
export interface VerifiedToken {
  principal: Principal;
  payload: JWTPayload;
  issuerKeys: IssuerKeys;
  /** What its sender must prove with each request. */
  proofs: readonly TokenProof[];
  /** The keys that the signature was verified with. */
  getKey: JWTVerifyGetKey;
}

/** A token that is valid, whoever sends it. */
export type CheckedToken = Pick<VerifiedToken, 'principal' | 'proofs'> & { readonly payload: TokenClaims };

/**
 * The tokens that were accepted last. A client sends the same token with each request, and its signature takes more
 * time than the rest of a call. The result of everything that a token says is the same as before, as long as its issuer
 * publishes the same keys. Only the time has to be looked at again.
 *
 * Refused tokens are not kept, so strangers cannot fill this memory. A token is kept as its digest: a copy of the
 * memory of this process contains none that works.
 */
export class VerifiedTokens {
  readonly #kept = new Map<string, VerifiedToken>();

  /**
   * @param most how many tokens are kept; 0 keeps none
   * @param tolerance how many seconds two clocks may differ
   */
  constructor(
    private readonly most: number,
    private readonly tolerance: number,
  ) {}

  /** What is known of a token that was accepted before and would be accepted again at this time (ms). */
  find(token: string, now: number): VerifiedToken | undefined {
    // An empty memory needs no digest.
    if (this.#kept.size === 0) return undefined;
    const id = idOf(token);
    const known = this.#kept.get(id);
    if (!known) return undefined;
    if (known.issuerKeys.areCurrent(known.getKey) && this.#isInTime(known.payload, now)) return known;
    this.#kept.delete(id);
    return undefined;
  }

  keep(token: string, verified: VerifiedToken): void {
    if (this.most === 0) return;
    if (this.#kept.size >= this.most) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(idOf(token), verified);
  }

  /** The same rule as jose has, in whole seconds (RFC 7519 sections 4.1.4 and 4.1.5). */
  #isInTime({ exp = 0, nbf = 0 }: JWTPayload, now: number): boolean {
    const seconds = Math.floor(now / 1_000);
    return exp > seconds - this.tolerance && nbf <= seconds + this.tolerance;
  }
}

function idOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
