import type { MaybePromise } from '../base/maybe-promise.js';
import type { InjectionToken } from './token.js';

/**
 * Another container that owns the instances (Nest, tsyringe, inversify). It is asked for everything that the
 * server's own `providers` do not provide. It builds, shares and disposes the instances that it returns.
 *
 * @example
 * const resolver: ExternalResolver = { resolve: (token) => tsyringe.resolve(token) };
 */
export interface ExternalResolver {
  resolve(token: InjectionToken): MaybePromise<unknown>;
  /**
   * Returns false when it cannot provide the token. Optional dependencies and the checks at boot need this.
   * Default: it can provide every token.
   */
  has?(token: InjectionToken): boolean;
}
