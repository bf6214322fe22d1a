import type { BoundOperation } from '../../call/operation/operation.js';
import type { ListCapability } from '../../base/operation-kinds.js';
import type { Method } from '../engine.js';
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
    handle: ({ engine, codec, params, request }) =>
      engine.pages.page(listing, codec, { principal: request.principal, cursor: params['cursor'] }),
  };
}
