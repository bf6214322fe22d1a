import type { Exchange } from '../endpoint/exchange.js';

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/**
 * The URL under which the caller reached the endpoint. Its Host was compared with `allowedHosts` before. A proxy in
 * front often ends TLS, and a caller could write any `X-Forwarded-Proto`, so a name that others use too stands for
 * https: a person must not be led to send a token in the clear.
 */
export function publicUrlOf(exchange: Exchange, configured: string | undefined): string {
  if (configured !== undefined) return new URL(configured).href;
  const host = exchange.header('host')!;
  const scheme = exchange.isEncrypted || !LOOPBACK.test(host) ? 'https' : 'http';
  const [path = '/'] = exchange.target.split(/[?#]/, 1);
  const url = new URL(`${scheme}://${host}`);
  // Setting the path never changes the host, whatever stands in it.
  url.pathname = path;
  return url.href;
}
