import type { Principal, RequestContext } from '../base/request-context.js';
import type { BoundOperation } from './operation/operation.js';

/** A call, as `around` sees it. */
export interface AroundCall {
  readonly request: RequestContext;
  /** What is called. All versions of a tool have its bare name, with their `version` beside it. */
  readonly operation: BoundOperation;
  /** The tenant of the caller. */
  readonly tenant: string | undefined;
}

/**
 * Runs around everything that an application's own code does for a call.
 *
 * @param principal the caller; `undefined` over stdio, for anonymous callers and for scheduled runs
 * @param run does the call. Call it once. It rejects with the error of the method
 */
export type Around = (
  principal: Principal | undefined,
  run: () => Promise<void>,
  call: AroundCall,
) => unknown;
