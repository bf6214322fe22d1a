import { inBrackets, isLoopbackAddress, LOOPBACK_HOSTS } from '@toolwright/json';
import {
  type Duration,
  type OptionSchema,
  type WithDefaults,
  optionRules,
  parseOptions,
  requireServer,
  wrongOption,
} from '@toolwright/core/options';
import { systemClock } from '@toolwright/core/ports';
import { type WhenUnhandled, watchUnhandled, whenUnhandledOption } from '@toolwright/core/transport';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type HttpServed, openEndpoint } from '../endpoint/open-endpoint.js';
import { type EndpointOptions, endpointOptions, endpointSettings } from '../endpoint/options.js';
import { mcpHealth, mcpReady } from './mcp-health.js';
import { type McpHandler, listenerOf, takeWholeTarget } from './node-exchange.js';
import {
  HttpConnections,
  type HttpServedAlone,
  addressOptions,
  closeOnSignals,
  listen,
  stopHttp,
  watchDescriptors,
} from './server-life.js';

/** The options of an endpoint over node:http, however it is mounted. */
export interface McpHttpOptions extends EndpointOptions<IncomingMessage> {
  /**
   * Returns the address of the caller. Limits and records use it. Default: `address`, the other end of the connection.
   * Behind a proxy, read a header that your own proxy writes, such as `X-Real-IP`. Where no proxy replaces
   * that header, a caller can write it, too.
   */
  ip?: (req: IncomingMessage, address?: string) => string | undefined;
}

/**
 * Every option of an endpoint with its rule and its default. Adapters for frameworks check their options with
 * it.
 */
export const mcpHttpOptions = {
  ...endpointOptions,
  ip: optionRules.callback,
} satisfies OptionSchema<McpHttpOptions>;

export interface ServeHttpOptions extends McpHttpOptions {
  /** The port to listen on. 0 means any free port. */
  port: number;
  /** The address to listen on. Default `127.0.0.1`. Any other address needs `allowedHosts`. */
  host?: string;
  /** The path of the endpoint, which is served with a slash at its end, too. Default `/mcp`. */
  path?: string;
  /** The path that says whether the server accepts requests; `false` for none. Default `/healthz`. */
  healthPath?: string | false;
  /**
   * The path that says whether this process should get requests, see `mcpReady`; `false` for none. Default
   * `/readyz`.
   */
  readyPath?: string | false;
  /**
   * Answers requests for all other paths, and calls `next` for a path that it does not know, such as `approvalPage(server)`
   * of `@toolwright/identity`.
   */
  pages?: (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;
  /**
   * How long the server still accepts requests after it was asked to stop. `readyPath` says `leaving` meanwhile, and
   * each answer ends its connection, so that load balancers send new requests elsewhere before the first one is
   * refused. After it, new connections are refused. Default 0: late requests get 503.
   */
  drainDelay?: Duration;
  /**
   * How long running calls may take when the server stops. Default 30 seconds. 0: they are stopped at once;
   * `Infinity`: until they end.
   */
  grace?: Duration;
  /** Stops gracefully on SIGTERM, SIGINT and SIGHUP, and then exits. Default true. */
  signals?: boolean;
  /**
   * What happens when a promise is rejected that nobody awaits, or when a timer or a listener throws. `drain`: it is logged,
   * running calls are answered, and the process exits with 1. `keep`: the process goes on after a rejected promise. `node`:
   * Node.js ends the process at once. Without `signals` it is always `node`. Default `drain`.
   */
  whenUnhandled?: WhenUnhandled;
  /** How long the headers of a request may take to arrive. Default 10 seconds. More than 0. */
  headersTimeout?: Duration;
  /** How long a whole request may take to arrive. Default 1 minute. More than 0. */
  requestTimeout?: Duration;
  /**
   * How long a connection may be idle between two requests before the server closes it. Behind a load balancer, set more
   * than the balancer's own time, such as `'65s'` for one minute: it may otherwise send a request on a connection that
   * has just been closed. Default 5 seconds. More than 0, at most a day.
   */
  keepAliveTimeout?: Duration;
}

const { anyDuration, callback, driverTimeout, duration, durationFromZero, either, flag, no, urlPath } =
  optionRules;

/** The options of `serveHttp` that an endpoint does not have. */
const aloneOptions = {
  ...addressOptions,
  path: { ...urlPath, default: '/mcp' },
  healthPath: { ...either(urlPath, no), default: '/healthz' },
  readyPath: { ...either(urlPath, no), default: '/readyz' },
  pages: callback,
  drainDelay: { ...durationFromZero, default: 0 },
  grace: { ...anyDuration, default: 30_000 },
  signals: { ...flag, default: true },
  whenUnhandled: whenUnhandledOption,
  headersTimeout: { ...duration, default: 10_000 },
  requestTimeout: { ...duration, default: 60_000 },
  keepAliveTimeout: { ...driverTimeout, default: 5_000 },
} satisfies OptionSchema<Omit<ServeHttpOptions, keyof McpHttpOptions>>;

const serveHttpOptions = { ...mcpHttpOptions, ...aloneOptions };

type ServeHttpSettings = WithDefaults<ServeHttpOptions, typeof serveHttpOptions>;

export interface HttpService {
  /** The URL of the endpoint, such as `http://127.0.0.1:3000/mcp`. */
  readonly url: string;
  readonly port: number;
  /**
   * Refuses new requests and waits for the running ones. Then it closes the server and everything behind it.
   */
  close(): Promise<void>;
}

/**
 * Serves MCP on a port of its own. It listens on 127.0.0.1 unless you set `host`.
 *
 * @throws {ConfigurationError} with all problems of the options. Without `allowedHosts` it does not listen to the network:
 *   any web page could then reach it through DNS rebinding
 * @throws {Error} when it cannot listen on the port, for example because the port is taken (`code`
 *   EADDRINUSE)
 */
export async function serveHttp(server: HttpServedAlone, given: ServeHttpOptions): Promise<HttpService> {
  requireServer('serveHttp', server);
  const options = parseOptions('serveHttp', serveHttpOptions, given);
  const { host, path } = options;
  if (!LOOPBACK_HOSTS.has(host) && !isLoopbackAddress(host) && !options.allowedHosts) {
    throw wrongOption(
      `serveHttp: listening on ${host} needs the option "allowedHosts".`,
      `List the names that clients reach it by, such as allowedHosts: ['mcp.example.com'], or ['localhost'] in a container for this machine.`,
      'serveHttp',
    );
  }
  const http = createServer({ ...slownessLimits(given, options), ...PROBED }, routes(server, options));
  const connections = new HttpConnections(http);
  const { logger } = server.protocol;
  const port = await listen(http, options, logger);
  const unwatch = watchDescriptors({ clock: systemClock, logger });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= stopHttp([server], connections, options).finally(end));
  const unhook = options.signals ? closeOnSignals(close, () => logger) : () => undefined;
  const { signals, whenUnhandled } = options;
  const endWatch = watchUnhandled(signals ? whenUnhandled : 'node', [server.protocol]);
  const end = () => {
    unhook();
    endWatch();
    unwatch();
  };
  const name = host.includes(':') ? inBrackets(host) : host;
  return { url: `http://${name}:${port}${path}`, port, close };
}

/**
 * The kernel asks a silent peer whether it is still there. Nothing else would notice that a client is gone without a word, such
 * as a laptop that sleeps, while a call of it runs and writes nothing.
 */
const PROBED = { keepAlive: true, keepAliveInitialDelay: 60_000 };

/** A client that sends slowly must not hold its connection for ever (slowloris). */
function slownessLimits(given: ServeHttpOptions, settings: ServeHttpSettings) {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = settings;
  if (given.headersTimeout !== undefined && headersTimeout > requestTimeout)
    throw wrongOption(
      'serveHttp: "headersTimeout" is longer than "requestTimeout".',
      'The headers are a part of the request: give them no more time than the whole.',
      'serveHttp',
    );
  return {
    headersTimeout: Math.min(headersTimeout, requestTimeout),
    requestTimeout,
    keepAliveTimeout,
    // By default, Node looks for slow connections every 30 s, whatever the timeouts are.
    connectionsCheckingInterval: Math.min(5_000, headersTimeout, requestTimeout),
  };
}

function routes(server: HttpServed, options: ServeHttpSettings) {
  const { path, healthPath, readyPath, oauth, pages } = options;
  const endpoint = mcpHttp(server, ofEndpoint(options));
  const health = mcpHealth(server);
  const ready = mcpReady(server);
  return (req: IncomingMessage, res: ServerResponse) => {
    const url = targetOf(req);
    const end = url.indexOf('?');
    const asked = end < 0 ? url : url.slice(0, end);
    // People and some clients add a slash to the address.
    if (asked === path || asked === `${path}/`) return endpoint(req, res);
    if (asked === healthPath) return health(req, res);
    if (asked === readyPath) return ready(req, res);
    const rest = (error?: unknown) => {
      if (error !== undefined) server.protocol.logger.error({ err: error }, 'A page could not be served');
      else if (oauth) return oauth.metadata(req, res);
      // Clients show this text to the person who has left out the path, or misspelt it.
      const said = error === undefined ? `There is nothing here. The MCP endpoint is at ${path}.\n` : '';
      const headers = {
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Length': Buffer.byteLength(said),
      };
      res.writeHead(error === undefined ? 404 : 500, headers).end(said);
    };
    const next = (error?: unknown) =>
      error === undefined && oauth ? oauth.pages(req, res, rest) : rest(error);
    if (pages) return pages(req, res, next);
    next();
  };
}

function targetOf(req: IncomingMessage): string {
  const whole = takeWholeTarget(req);
  return whole ? (req.url = whole.pathname + whole.search) : (req.url ?? '');
}

function ofEndpoint(options: ServeHttpSettings): McpHttpOptions {
  const known = Object.entries(options).filter(([name]) => Object.hasOwn(mcpHttpOptions, name));
  return Object.fromEntries(known) as McpHttpOptions;
}

/**
 * Serves MCP over HTTP, with both eras on one endpoint. It answers every request itself. It never listens on
 * a port, and never changes the process or the settings of the server. To stop, call `server.drain()`.
 *
 * @throws {ConfigurationError} with all problems of the options
 * @example
 * createServer(mcpHttp(server)).listen(3000, '127.0.0.1');
 */
export function mcpHttp(server: HttpServed, given: McpHttpOptions = {}): McpHandler {
  requireServer('mcpHttp', server);
  const options = parseOptions('mcpHttp', mcpHttpOptions, given);
  return listenerOf(
    openEndpoint(server, { ...endpointSettings(options, options.ip), missingAddress: 'none' }),
  );
}
