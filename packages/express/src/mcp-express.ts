import type { IncomingMessage } from 'node:http';
import { parseOptions } from '@toolwright/core/options';
import {
  mcpHttp,
  mcpHttpOptions,
  type HttpServed,
  type McpHandler,
  type McpHttpOptions,
} from '@toolwright/http';

/**
 * Mounts MCP in an Express app: both eras on one endpoint. Fits `app.use('/mcp', …)`, which leaves the paths below `/mcp`
 * to the app, and routes such as `router.all('/mcp', …)`. Callers have the address that `req.ip` tells under the app's
 * `trust proxy` setting. An error of `authenticate` or `principal` goes to the app's error handlers. Never listens, never
 * touches the process or the server's settings. Stop with `server.drain()`.
 *
 * @throws {ConfigurationError} with everything that is wrong with the options
 * @example
 * app.use('/mcp', mcpExpress(server));
 */
export function mcpExpress(server: HttpServed, given: McpHttpOptions = {}): McpHandler {
  const options = parseOptions('mcpExpress', mcpHttpOptions, given);
  const serve = mcpHttp(server, { ...options, ip: options.ip ?? ipInExpress });
  const handler: McpHandler = (req, res, next) => {
    if (next && isBelow(req) && !isRoute(req, handler)) return next();
    serve(req, res, next);
  };
  return handler;
}

/** With what Express adds, in both versions. */
interface ExpressRequest extends IncomingMessage {
  app?: { disabled(setting: string): boolean };
  baseUrl?: string;
  ip?: string;
  route?: { path?: unknown; stack?: readonly { handle: unknown }[] };
}

/** As Express works it out under its `trust proxy` setting. */
function ipInExpress(req: ExpressRequest): string | undefined {
  const { app, socket } = req;
  // Without a trusted proxy Express would take 5 µs to say the same.
  return !app || app.disabled('trust proxy') ? socket.remoteAddress : req.ip;
}

/** `app.use('/mcp', …)` hands over everything below `/mcp` too; that belongs to the application. */
function isBelow({ baseUrl, url = '' }: ExpressRequest): boolean {
  return Boolean(baseUrl) && !/^\/?(?:\?|$)/.test(url);
}

/**
 * True inside `router.all('/mcp', …)`, which has compared the whole path: there `url` is the path of the route, and nothing
 * lies below. `req.route` alone proves nothing, since it stays set after an earlier route has called `next`.
 */
function isRoute({ route, url = '' }: ExpressRequest, handler: McpHandler): boolean {
  if (!route) return false;
  const isOurs = route.stack?.some(({ handle }) => handle === handler);
  // The app may have put a function of its own around the handler.
  return isOurs || route.path === url.replace(/\?.*/, '');
}
