import type { IncomingMessage, ServerResponse } from 'node:http';

const ALLOWED_HEADERS = [
  'content-type',
  'accept',
  'authorization',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'last-event-id',
];
const PARAM_HEADER = /^mcp-param-[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const A_DAY = '86400';

/** What a browser sends with the requests of a page. */
interface PageHeaders {
  readonly origin?: string | undefined;
  readonly 'access-control-request-headers'?: string | undefined;
}

/** Lets a page of a listed origin read the answer. */
export function allowReading({ origin }: PageHeaders, res: ServerResponse): void {
  if (origin === undefined) return;
  res.setHeader('Access-Control-Allow-Origin', origin);
  res.setHeader('Access-Control-Expose-Headers', 'mcp-session-id, www-authenticate');
}

/**
 * Keeps caches from returning the answer for one origin to another. The application's own `Vary` values stay.
 */
export function varyByOrigin(res: ServerResponse): void {
  res.appendHeader('Vary', 'Origin');
}

/** Tells a browser that the page may not send. Without a header that allows it, the browser sends nothing. */
export function refusePreflight(res: ServerResponse): void {
  res.writeHead(204).end();
}

/** Answers a browser that asks whether a page of a listed origin may send its request. */
export function answerPreflight(headers: PageHeaders, res: ServerResponse): void {
  const wanted = (headers['access-control-request-headers'] ?? '').toLowerCase();
  const mirrored = wanted
    .split(',')
    .map((name) => name.trim())
    .filter((name) => PARAM_HEADER.test(name));
  allowReading(headers, res);
  res.writeHead(204, {
    'Access-Control-Allow-Methods': 'POST, GET, DELETE',
    'Access-Control-Allow-Headers': [...ALLOWED_HEADERS, ...mirrored].join(', '),
    'Access-Control-Max-Age': A_DAY,
  });
  res.end();
}

export function isPreflight({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}
