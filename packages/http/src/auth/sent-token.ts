import type { IncomingMessage } from 'node:http';
import { readToken } from '../endpoint/bearer.js';

/** A request with a token, of Node or of the web. */
export type TokenRequest = IncomingMessage | Request;

/** @param knowsDpop true to read the scheme of RFC 9449, too */
export function tokenIn(request: TokenRequest, knowsDpop: boolean): ReturnType<typeof readToken> {
  return repeatsAuthorization(request)
    ? { kind: 'malformed' }
    : readToken(authorizationIn(request.headers), knowsDpop);
}

/**
 * Node keeps the first of two such headers and drops the other; something in front may have looked at the other one. The
 * web joins them, which is not a token.
 */
function repeatsAuthorization(request: TokenRequest): boolean {
  if (!('rawHeaders' in request)) return false;
  const { rawHeaders } = request;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 13 && name.toLowerCase() === 'authorization') count++;
  }
  return count > 1;
}

/** Node has the headers as an object, and the web as `Headers`. */
function authorizationIn(headers: IncomingMessage['headers'] | Headers): string | undefined {
  return typeof headers.get === 'function'
    ? (headers.get('authorization') ?? undefined)
    : (headers as IncomingMessage['headers']).authorization;
}
