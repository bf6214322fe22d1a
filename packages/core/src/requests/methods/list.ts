import type { ListCapability } from '../../base/operation-kinds.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import type { Method } from '../active-request.js';
import type { Listing } from '../lists/list-pages.js';

/** A method that lists the operations of one kind, page by page. */
export function listMethod<O extends BoundOperation>(
  name: string,
  capability: ListCapability,
  listing: Listing<O>,
): Method {
  return {
    name,
    capability,
    handle: (request) =>
      request.engine.pages.page(listing, request.codec, { request, cursor: request.params['cursor'] }),
  };
}
