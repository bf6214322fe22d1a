import { JsonRpcCode, ProtocolError } from '../../base/errors/errors.js';

/** The longest content of a cursor is a URI. */
const MAX_LENGTH = 12_000;

/** A cursor names the last definition of a page, so it stays valid while other definitions come and go. */
export function makeCursor(list: string, last: string): string {
  return Buffer.from(JSON.stringify([list, last])).toString('base64url');
}

/**
 * The name in a cursor. It is not trusted: the caller of this function looks it up only among what the client
 * may see.
 *
 * @throws {ProtocolError} -32602 for anything that no page of `list` returned
 */
export function readCursor(list: string, cursor: unknown): string {
  if (typeof cursor === 'string' && cursor.length <= MAX_LENGTH) {
    try {
      const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
      if (Array.isArray(value) && value[0] === list && typeof value[1] === 'string') {
        if (makeCursor(list, value[1]) === cursor) return value[1];
      }
    } catch {
      // This cursor is not one of ours.
    }
  }
  throw invalidCursor();
}

export function invalidCursor(): ProtocolError {
  return new ProtocolError(JsonRpcCode.invalidParams, 'Invalid cursor. Start again without one.');
}
