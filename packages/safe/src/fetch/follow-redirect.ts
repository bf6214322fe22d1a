import type { IncomingMessage } from 'node:http';
import { refusal } from '../errors/refusal.js';
import { checkUrl, type UrlRules } from './check-url.js';
import type { Hop } from './send-request.js';

/** Meant for one origin only. */
const CREDENTIALS = ['authorization', 'cookie'];

/**
 * The next request if the answer is a redirect, by the rules of the Fetch standard.
 *
 * @throws ToolError `TW_SAFE_URL` if it leads where requests may not go
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
    throw refusal('TW_SAFE_URL', 'The server redirects from https to http; what follows could be anybody’s.');
  }
  const kept = url.origin === hop.url.origin ? hop.headers : without(hop.headers, CREDENTIALS);
  const becomesGet = statusCode === 303 ? hop.method !== 'HEAD' : hop.method === 'POST' && statusCode! <= 302;
  if (!becomesGet) return { ...hop, url, headers: kept };
  return {
    url,
    method: 'GET',
    headers: without(kept, ['content-type', 'content-encoding']),
    body: undefined,
  };
}

function without(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
