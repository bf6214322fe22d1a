import type { Exchange } from '../endpoint/exchange.js';
import { sendHealth, sendReadiness } from '../endpoint/health.js';
import type { HttpServed } from '../endpoint/open-endpoint.js';
import { FetchExchange } from './fetch-exchange.js';

/**
 * `mcpHealth` for web-standard requests: says whether the server accepts requests.
 *
 * @example
 * app.get('/healthz', (c) => healthResponse(server, c.req.raw));
 */
export function healthResponse({ protocol }: HttpServed, request: Request): Promise<Response> {
  return respond(request, (exchange) => sendHealth(protocol, exchange));
}

/**
 * `mcpReady` for web-standard requests: says whether this process should get requests. Say `isLeaving` from
 * the moment at which it was told to stop.
 */
export function readyResponse(
  { protocol }: HttpServed,
  request: Request,
  { requires = [], isLeaving = false }: { requires?: readonly string[]; isLeaving?: boolean } = {},
): Promise<Response> {
  return respond(request, (exchange) => sendReadiness(protocol, exchange, { requires, isLeaving }));
}

function respond(request: Request, send: (exchange: Exchange) => void): Promise<Response> {
  const exchange = new FetchExchange(request, undefined);
  send(exchange);
  return exchange.response;
}
