import { isHttpToken } from '@toolwright/json';
import type { Exchange } from './exchange.js';

const ALLOWED_HEADERS = [
  'content-type',
  'accept',
  'authorization',
  'dpop',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'last-event-id',
];
/** A day, in seconds. */
export const PREFLIGHT_MAX_AGE = '86400';

/** Lets a page of a listed origin read the answer. */
export function allowReading(exchange: Exchange, origin: string): void {
  exchange.setHeader('Access-Control-Allow-Origin', origin);
  exchange.setHeader('Access-Control-Expose-Headers', 'mcp-session-id, www-authenticate, dpop-nonce');
}

/**
 * Keeps caches from returning the answer for one origin to another. The application's own `Vary` values stay.
 */
export function varyByOrigin(exchange: Exchange): void {
  exchange.addHeader('Vary', 'Origin');
}

/** Tells a browser that the page may not send. Without a header that allows it, the browser sends nothing. */
export function refusePreflight(exchange: Exchange): void {
  exchange.sendEmpty(204);
}

/** Answers a browser that asks whether a page of a listed origin may send its request. */
export function answerPreflight(exchange: Exchange, origin: string): void {
  const wanted = (exchange.header('access-control-request-headers') ?? '').toLowerCase();
  const mirrored = wanted
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^mcp-param-./.test(name) && isHttpToken(name));
  allowReading(exchange, origin);
  exchange.setHeader('Access-Control-Allow-Methods', 'POST, GET, DELETE');
  exchange.setHeader('Access-Control-Allow-Headers', [...ALLOWED_HEADERS, ...mirrored].join(', '));
  exchange.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE);
  exchange.sendEmpty(204);
}

export function isPreflight(exchange: Exchange): boolean {
  return exchange.method === 'OPTIONS' && exchange.header('access-control-request-method') !== undefined;
}
