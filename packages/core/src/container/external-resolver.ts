import type { AnyClass } from '../base/metadata/store.js';
import type { MaybePromise } from '../base/maybe-promise.js';
import type { CallSource, AroundMethod } from '../call/operation/draft.js';
import type { Scope } from './provider.js';
import type { InjectionToken } from './token.js';

/**
 * Another container that owns the instances (Nest, tsyringe, inversify). It is asked for everything that the
 * server's own `providers` do not provide. It builds, shares and disposes the instances that it returns.
 *
 * @example
 * const resolver: ExternalResolver = { resolve: (token) => tsyringe.resolve(token) };
 */
export interface ExternalResolver {
  /**
   * @param call present when the instance is for one call only; it is the same object each time that this call
   * needs something
   */
  resolve(token: InjectionToken, call?: CallSource): MaybePromise<unknown>;
  /**
   * Returns false when it cannot provide the token. Optional dependencies and the checks at boot need this.
   * Default: it can provide every token.
   */
  has?(token: InjectionToken): boolean;
  /**
   * Says how long the instances of a token live. Default: what `@McpService` or `@Injectable` says, or else as
   * long as the server.
   */
  scope?(token: InjectionToken): Scope | undefined;
  /**
   * Is asked once for each decorated method, at boot. If it returns a function, that function runs around each
   * call of the method, inside all guards and middleware. What it returns or throws counts as the method's own
   * result or error.
   */
  around?(method: DecoratedMember): AroundMethod | undefined;
}

/** A decorated method of a service. */
export interface DecoratedMember {
  readonly target: AnyClass;
  readonly name: string;
  /** True for a static method, which is called on its class. */
  readonly static: boolean;
}
