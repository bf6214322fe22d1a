import type { MaybePromise } from '../base/maybe-promise.js';
import type { InjectionToken } from './token.js';

/**
 * Another container that owns the instances (Nest, tsyringe, inversify). Asked for everything that the server's own
 * `providers` do not provide; it builds, shares and disposes what it gives.
 *
 * @example
 * const resolver: ExternalResolver = { resolve: (token) => tsyringe.resolve(token) };
 */
export interface ExternalResolver {
  resolve(token: InjectionToken): MaybePromise<unknown>;
  /** False where it cannot give the token, so that optional dependencies and boot checks work. Default: it can. */
  has?(token: InjectionToken): boolean;
}
