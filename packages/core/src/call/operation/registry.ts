import type { KindCollections, OperationKind } from '../../base/operation-kinds.js';
import type { Principal } from '../../base/request-context.js';
import type { BoundOperation, OfKind } from './operation.js';

/**
 * The operations of one kind, in the order in which they were declared. The protocol reads them from here.
 */
export interface Catalogue<O extends BoundOperation> {
  get(name: string): O | undefined;
  /** Returns the same array until the next change, so that the array can be the key of a cache. */
  list(): readonly O[];
}

/** The catalogues of all kinds: `tools`, `prompts` and so on. */
export type Catalogues = { readonly [K in OperationKind as KindCollections[K]]: Catalogue<OfKind<K>> };

/** Every operation that the server offers. */
export interface Registry extends Catalogues {
  /** True when the caller may see and use the operation. The same check guards the call. */
  visible(operation: BoundOperation, principal: Principal | undefined): boolean;
  /**
   * True when the visibility of some operation depends on the caller. Caches must then treat lists as
   * private.
   */
  readonly perCaller: boolean;
}
