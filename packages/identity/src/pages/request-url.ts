import { readUrl } from '@toolwright/json';
import type { IncomingMessage } from 'node:http';

/**
 * What a request asks for. `URL` refuses some targets that Node.js lets pass, such as `//`: they mean the root here, so that
 * nobody makes a handler throw by one.
 *
 * @param base the address of the server
 */
export function requestUrl({ url = '/' }: Pick<IncomingMessage, 'url'>, base: URL | string): URL {
  return readUrl(url, base) ?? new URL('/', base);
}
