import type { Principal } from '@toolwright/core';

/**
 * The tokens of callers, for as long as their requests last. A tool sees the principal and cannot get from it to the
 * token: only whoever has this object can. Nothing here is ever written or logged.
 */
export class CallerTokens {
  readonly #held = new WeakMap<object, string>();

  /** @returns the principal of this request alone: that of the server's memory of tokens would keep the token alive */
  hold(principal: Principal, token: string): Principal {
    const own = Object.freeze({ ...principal });
    this.#held.set(own, token);
    return own;
  }

  of(principal: Principal | undefined): string | undefined {
    return principal && this.#held.get(principal);
  }
}
