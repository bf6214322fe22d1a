import type { RequestContext } from '../protocol/request-context.js';
import type { InputRequired } from './input-required.js';
import type { BoundOperation, MaybePromise, Run } from './operation.js';

/**
 * Runs one call of an operation from start to end: what the protocol's handlers call. Everything that the call opened
 * is closed when this has settled, whichever way it went.
 *
 * @param args as the client sent them; never changed
 * @returns the result, or `InputRequired` when the client has to answer first
 * @throws {ProtocolError} answered as a JSON-RPC error
 */
export declare function startCall<R>(
  operation: BoundOperation & { readonly run: Run<never, R> },
  request: RequestContext,
  args: Record<string, unknown>,
): MaybePromise<R | InputRequired>;
