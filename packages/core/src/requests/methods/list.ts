import type { BoundOperation } from '../../call/operation/operation.js';
import type { MethodHandler } from '../active-request.js';
import type { Listing } from '../lists/list-pages.js';

/** A method that lists the operations of one kind, page by page. */
export function listMethod<O extends BoundOperation>(listing: Listing<O>): MethodHandler {
  return {
    handle: (request) =>
      request.engine.pages.page(listing, request.codec, { request, cursor: request.params['cursor'] }),
  };
}
