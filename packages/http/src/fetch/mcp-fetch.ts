import type { MaybePromise } from '@toolwright/core/transport';
import { type OptionSchema, optionRules, parseOptions, requireServer } from '@toolwright/core/options';
import type { Exchange } from '../endpoint/exchange.js';
import { sendHealth, sendReadiness } from '../endpoint/health.js';
import { type HttpServed, openEndpoint } from '../endpoint/open-endpoint.js';
import { type EndpointOptions, endpointOptions, endpointSettings } from '../endpoint/options.js';
import { FetchExchange } from './fetch-exchange.js';

/** The options of an endpoint for web-standard requests. */
export interface McpFetchOptions extends EndpointOptions<Request> {
  /**
   * Returns the address of the caller, which a web-standard request does not tell. Limits and records use it,
   * and without `allowedHosts` only addresses of this machine may ask. Default: what `Deno.serve`,
   * `Bun.serve` and `@hono/node-server` pass beside the request; elsewhere nobody's address is known.
   *
   * @param connection the second argument of the handler, whatever the runtime passes there
   */
  clientAddress?: (request: Request, connection: unknown) => string | undefined;
}

const mcpFetchOptions = {
  ...endpointOptions,
  clientAddress: optionRules.callback,
} satisfies OptionSchema<McpFetchOptions>;

/**
 * Answers web-standard requests.
 *
 * @param connection what the runtime passes beside the request; some tell the caller's address by it
 */
export type FetchHandler = (request: Request, connection?: unknown) => Promise<Response>;

/**
 * Serves MCP with web-standard requests, with both eras on one endpoint: in Bun, Deno and workerd, and in every
 * framework whose handlers take a `Request`. It answers every request itself, whatever its path. To stop, call
 * `server.drain()`.
 *
 * @param server the server, or a function that makes it when the first request comes. Runtimes at the edge
 *   draw no random numbers before that.
 * @throws {ConfigurationError} with all problems of the options. A server that cannot be made rejects the
 *   request, and the next one tries again.
 * @example
 * Bun.serve({ port: 3000, hostname: '127.0.0.1', fetch: mcpFetch(server) });
 */
export function mcpFetch(
  server: HttpServed | (() => MaybePromise<HttpServed>),
  given: McpFetchOptions = {},
): FetchHandler {
  if (typeof server !== 'function') requireServer('mcpFetch', server);
  const options = parseOptions('mcpFetch', mcpFetchOptions, given);
  const settings = endpointSettings<Request>(options);
  const { clientAddress = connectionAddress } = options;
  const open = (served: HttpServed): FetchHandler => {
    const take = openEndpoint(served, settings);
    const tellUnseen = options.allowedHosts ? () => undefined : tellOnce(served);
    return (request, connection) => {
      const address = () => clientAddress(request, connection) ?? tellUnseen();
      const exchange = new FetchExchange(request, address, served.protocol.logger);
      take(exchange);
      return exchange.response;
    };
  };
  return typeof server === 'function' ? openLater(server, open) : open(server);
}

/** Opens when the first request comes. A failure is not kept. */
function openLater(
  make: () => MaybePromise<HttpServed>,
  open: (served: HttpServed) => FetchHandler,
): FetchHandler {
  let opened: Promise<FetchHandler> | undefined;
  const begin = async () => open(await make());
  return async (request, connection) => {
    const opening = (opened ??= begin());
    try {
      const handler = await opening;
      return await handler(request, connection);
    } catch (error) {
      // A handler never throws, so no error reaches an application.
      if (opened === opening) opened = undefined;
      throw error;
    }
  };
}

/** Without a list of hosts, only this machine may ask. The operator must know when nobody can hold to that. */
function tellOnce({ protocol }: HttpServed): () => undefined {
  let hasWarned = false;
  return () => {
    if (!hasWarned)
      protocol.logger.warn(
        { option: 'clientAddress' },
        'Nobody tells mcpFetch from where its callers come, so it only checks that Host is a name of this machine. Set "clientAddress" or "allowedHosts", or listen on 127.0.0.1 only.',
      );
    hasWarned = true;
    return undefined;
  };
}

/** What runtimes pass beside a request, as far as it says who is at the other end. */
interface Connection {
  /** Deno: the second argument of a handler of `Deno.serve`. */
  remoteAddr?: { hostname?: unknown };
  /** Bun: the server, which is the second argument of a handler of `Bun.serve`. */
  requestIP?: (request: Request) => { address?: unknown } | null;
  /** `@hono/node-server`: the bindings of the connection. */
  incoming?: { socket?: { remoteAddress?: unknown } };
}

/** The address of the other end, where the runtime tells it; `undefined` elsewhere. */
function connectionAddress(request: Request, connection: unknown): string | undefined {
  if (typeof connection !== 'object' || connection === null) return undefined;
  const { remoteAddr, incoming, requestIP } = connection as Connection;
  const address =
    remoteAddr?.hostname ??
    incoming?.socket?.remoteAddress ??
    (typeof requestIP === 'function' ? requestIP.call(connection, request)?.address : undefined);
  return typeof address === 'string' ? address : undefined;
}

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
 * `mcpReady` for web-standard requests: says whether this process should get requests. Set `isLeaving` from the
 * moment at which it was asked to stop.
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
