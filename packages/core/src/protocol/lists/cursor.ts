import { JsonRpcCode, ProtocolError } from '../../base/errors/protocol-error.js';

/** A URI is the longest thing a cursor holds. */
const MAX_LENGTH = 12_000;

/** Cursors name the last definition of a page, so that they stay good while others come and go. */
export function makeCursor(list: string, last: string): string {
  return Buffer.from(JSON.stringify([list, last])).toString('base64url');
}

/**
 * The name behind a cursor. Nothing is trusted: callers look the name up among what the client may see anyway.
 * @throws {ProtocolError} -32602 for anything that no page of `list` gave out
 */
export function readCursor(list: string, cursor: unknown): string {
  if (typeof cursor === 'string' && cursor.length <= MAX_LENGTH) {
    try {
      const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
      if (Array.isArray(value) && value[0] === list && typeof value[1] === 'string') {
        if (makeCursor(list, value[1]) === cursor) return value[1];
      }
    } catch {
      // Not one of ours.
    }
  }
  throw invalidCursor();
}

export function invalidCursor(): ProtocolError {
  return new ProtocolError(JsonRpcCode.invalidParams, 'Invalid cursor. Start again without one.');
}
