import type { IncomingMessage } from 'node:http';
import { parseOptions, requireServer } from '@toolwright/core/options';
import {
  mcpHttp,
  mcpHttpOptions,
  type HttpServed,
  type McpHandler,
  type McpHttpOptions,
} from '@toolwright/http';

/**
 * Mounts MCP in an Express app, with both eras on one endpoint. It works in `app.use('/mcp', …)`, where the
 * app keeps the paths below `/mcp`, and in routes such as `router.all('/mcp', …)`. The address of a caller is
 * the app's `req.ip`, which follows its setting `trust proxy`. An error of `authenticate` or `principal` goes
 * to the app's error handlers. It never listens on a port, and never changes the process or the settings of
 * the server. To stop, call `server.drain()`.
 *
 * @throws {ConfigurationError} with all problems of the options
 * @example
 * app.use('/mcp', mcpExpress(server));
 */
export function mcpExpress(server: HttpServed, given: McpHttpOptions = {}): McpHandler {
  requireServer('mcpExpress', server);
  const options = parseOptions('mcpExpress', mcpHttpOptions, given);
  const serve = mcpHttp(server, { ...options, ip: options.ip ?? ipInExpress });
  const handler: McpHandler = (req, res, next) => {
    if (next && isBelow(req) && !isRoute(req, handler)) return next();
    serve(req, res, next);
  };
  return handler;
}

/** The members that Express adds, in both of its versions. */
interface ExpressRequest extends IncomingMessage {
  app?: { disabled(setting: string): boolean };
  baseUrl?: string;
  ip?: string;
  route?: { path?: unknown; stack?: readonly { handle: unknown }[] };
}

/** The address as Express finds it under its setting `trust proxy`. */
function ipInExpress(req: ExpressRequest, address?: string): string | undefined {
  const { app } = req;
  // Without a trusted proxy, Express would take 5 µs to find the same address.
  return !app || app.disabled('trust proxy') ? address : req.ip;
}

/** `app.use('/mcp', …)` also passes everything below `/mcp`, which belongs to the application. */
function isBelow(req: ExpressRequest): boolean {
  // `app.use('/mcp', …)` leaves `/`, and of a whole URL (RFC 9112, section 3.2.2) its origin. Then nothing else of the request
  // is read: each look costs (see `NodeExchange`).
  return !/^(?:https?:\/\/[^/?]*)?\/?(?:\?|$)/i.test(req.url ?? '') && Boolean(req.baseUrl);
}

/**
 * True inside `router.all('/mcp', …)`. Such a route has compared the whole path: `url` is the path of the
 * route, and nothing is below it. `req.route` alone proves nothing, because it stays set after an earlier
 * route has called `next`.
 */
function isRoute({ route, url = '' }: ExpressRequest, handler: McpHandler): boolean {
  if (!route) return false;
  const isOurs = route.stack?.some(({ handle }) => handle === handler);
  // The app may have wrapped the handler in a function of its own.
  return isOurs || route.path === url.replace(/\?.*/, '');
}
