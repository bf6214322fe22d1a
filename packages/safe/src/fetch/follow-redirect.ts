import type { IncomingMessage } from 'node:http';
import { quote, refusal } from '../errors/refusal.js';
import { checkUrl, type UrlRules } from './check-url.js';
import type { Hop } from './send-request.js';

/**
 * The headers that may be sent to another origin. Any other header may be a credential, because every API has
 * its own name for the header with its key.
 */
const FOR_ANYBODY = ['accept', 'accept-language', 'cache-control', 'pragma', 'range', 'user-agent'];

/** Headers that describe the body. */
const OF_BODY = ['content-type', 'content-encoding', 'content-language'];

/**
 * Returns the next request if the answer is a redirect, by the rules of the Fetch standard. A request to
 * another origin has no body, and no header that could be a credential.
 *
 * @throws ToolError `TW_SAFE_URL` if it leads to a forbidden place, or would send a request to another origin
 * that changes something there
 */
export function followRedirect(
  hop: Hop,
  { statusCode, headers }: IncomingMessage,
  rules: UrlRules,
): Hop | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode ?? 0) || headers.location === undefined)
    return undefined;
  const url = checkUrl(headers.location, hop.url, rules);
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw refusal(
      'TW_SAFE_URL',
      'The server redirects from https to http, where anybody could read and change the answer.',
    );
  }
  const isElsewhere = url.origin !== hop.url.origin;
  const becomesGet = statusCode === 303 ? hop.method !== 'HEAD' : hop.method === 'POST' && statusCode! <= 302;
  const next = becomesGet ? asGet(hop) : hop;
  if (!isElsewhere) return { ...next, url };
  if (next.method !== 'GET' && next.method !== 'HEAD') {
    throw refusal(
      'TW_SAFE_URL',
      `The server redirects the ${next.method} to ${quote(url.origin)}, which is another server. Send it there yourself if you trust that server.`,
    );
  }
  return { url, method: next.method, headers: only(next.headers, FOR_ANYBODY), body: undefined };
}

function asGet({ url, headers }: Hop): Hop {
  const kept = Object.keys(headers).filter((name) => !OF_BODY.includes(name));
  return { url, method: 'GET', headers: only(headers, kept), body: undefined };
}

function only(headers: Hop['headers'], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
}
