import { JsonRpcCode, ProtocolError } from '@toolwright/core';

/** How many entries one answer has at most. */
const PAGE = 50;

/**
 * One page of what a caller may see. A cursor names the last item of the page before, so it stays valid while others come
 * and go.
 *
 * @throws {ProtocolError} -32602 for a cursor that is not from this list
 */
export function paginate<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  cursor: unknown,
): { readonly page: readonly Item[]; readonly nextCursor?: string } {
  const start = cursor === undefined ? 0 : items.findIndex((item) => cursorOf(keyOf(item)) === cursor) + 1;
  if (cursor !== undefined && start === 0)
    throw new ProtocolError(JsonRpcCode.invalidParams, 'Invalid cursor. Start again without one.');
  const page = items.slice(start, start + PAGE);
  const last = page.at(-1);
  const isMore = start + page.length < items.length;
  return { page, ...(isMore && last !== undefined && { nextCursor: cursorOf(keyOf(last)) }) };
}

function cursorOf(key: string): string {
  return Buffer.from(key).toString('base64url');
}
