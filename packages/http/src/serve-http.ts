import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { optionRules, parseOptions, type OptionSchema, type WithDefaults } from '@toolwright/core/options';
import { mcpHttp, type HttpServed } from './mcp-http.js';
import { mcpHealth } from './mcp-health.js';
import { mcpHttpOptions, type McpHttpOptions } from './options.js';

export interface ServeHttpOptions extends McpHttpOptions {
  /** 0: any free port. */
  port: number;
  /** Address to listen on. Default `127.0.0.1`. Others need `allowedHosts`. */
  host?: string;
  /** Path of the endpoint. Default `/mcp`. */
  path?: string;
  /** Path that answers whether the server takes requests; false: none. Default `/healthz`. */
  healthPath?: string | false;
  /** Milliseconds that calls in flight may take when the server stops. Default 30,000. */
  graceMs?: number;
  /** Stop gracefully on SIGTERM and SIGINT, then exit. Default true. */
  signals?: boolean;
  /** Milliseconds for a request's headers to arrive. Default 10,000. */
  headersTimeoutMs?: number;
  /** Milliseconds for a whole request to arrive. Default 60,000. */
  requestTimeoutMs?: number;
}

const { either, filledText, flag, milliseconds, named, no, positive, required } = optionRules;
const wait = named('milliseconds', positive);

/** The options of `serveHttp` that an endpoint does not have. */
const aloneOptions = {
  port: required({
    expected: 'a port from 0 to 65535',
    accepts: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535,
  }),
  host: { ...filledText, default: '127.0.0.1' },
  path: { ...filledText, default: '/mcp' },
  healthPath: { ...either(filledText, no), default: '/healthz' },
  graceMs: milliseconds,
  signals: { ...flag, default: true },
  headersTimeoutMs: { ...wait, default: 10_000 },
  requestTimeoutMs: { ...wait, default: 60_000 },
} satisfies OptionSchema<Omit<ServeHttpOptions, keyof McpHttpOptions>>;

const serveHttpOptions = { ...mcpHttpOptions, ...aloneOptions };

type ServeHttpSettings = WithDefaults<ServeHttpOptions, typeof serveHttpOptions>;

/** What is served over HTTP and, when it stops, closed. */
export interface HttpServedAlone extends HttpServed {
  close?(): Promise<void>;
}

export interface HttpService {
  /** Of the endpoint, such as `http://127.0.0.1:3000/mcp`. */
  readonly url: string;
  readonly port: number;
  /** Refuses new requests, lets those in flight finish, then closes the server and everything behind it. */
  close(): Promise<void>;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Serves MCP alone on a port, on 127.0.0.1 unless told otherwise.
 * @throws {ConfigurationError} with everything that is wrong with the options
 * @throws {TypeError} when asked to listen to the network without `allowedHosts`: any page could then reach it through
 * DNS rebinding
 * @throws {Error} when the port cannot be listened on, such as one that is taken (`code` EADDRINUSE)
 */
export async function serveHttp(server: HttpServedAlone, given: ServeHttpOptions): Promise<HttpService> {
  const options = parseOptions('serveHttp', serveHttpOptions, given);
  const { host, port, path, graceMs } = options;
  if (!LOOPBACK.has(host) && !options.allowedHosts) {
    throw new TypeError(
      `Listening on ${host} needs the option "allowedHosts": the names this server is reached by.`,
    );
  }
  const http = createServer(slownessLimits(options), routes(server, options));
  await listen(http, port, host);
  const bound = (http.address() as AddressInfo).port;
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= stop(server, http, graceMs).finally(() => unhook()));
  const unhook = options.signals ? stopOnSignals(close) : () => undefined;
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${bound}${path}`, port: bound, close };
}

/** Slow senders must not hold connections for ever (slowloris). */
function slownessLimits({ headersTimeoutMs, requestTimeoutMs }: ServeHttpSettings) {
  return {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    // Node looks for slow connections every 30 s unless told otherwise, whatever the timeouts say.
    connectionsCheckingInterval: Math.min(5_000, headersTimeoutMs, requestTimeoutMs),
  };
}

function routes(server: HttpServed, options: ServeHttpSettings) {
  const { path, healthPath, oauth } = options;
  const endpoint = mcpHttp(server, endpointOptions(options));
  const health = mcpHealth(server);
  return (req: IncomingMessage, res: ServerResponse) => {
    const { url = '' } = req;
    const end = url.indexOf('?');
    const asked = end < 0 ? url : url.slice(0, end);
    if (asked === path) return endpoint(req, res);
    if (asked === healthPath) return health(req, res);
    if (oauth) return oauth.metadata(req, res);
    res.writeHead(404, { 'Content-Length': 0 }).end();
  };
}

function endpointOptions(options: ServeHttpSettings): McpHttpOptions {
  const known = Object.entries(options).filter(([name]) => Object.hasOwn(mcpHttpOptions, name));
  return Object.fromEntries(known) as McpHttpOptions;
}

function listen(http: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(inWords(error, port, host));
    http.once('error', fail);
    http.listen(port, host, () => {
      http.off('error', fail);
      resolve();
    });
  });
}

function inWords(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const { code } = error;
  if (code !== 'EADDRINUSE') return error;
  const message = `Port ${port} of ${host} is taken: end what listens there, or choose another (0: any that is free).`;
  return Object.assign(new Error(message, { cause: error }), { code });
}

async function stop(server: HttpServedAlone, http: Server, graceMs: number | undefined): Promise<void> {
  // The listener stays until all calls are done: late ones are answered with 503, not with a closed door.
  try {
    await server.protocol.drain(graceMs);
  } finally {
    await new Promise<void>((resolve) => {
      http.close(() => resolve());
      http.closeIdleConnections();
      // What is left had its time.
      setTimeout(() => http.closeAllConnections(), 1000).unref();
    });
    await server.close?.();
  }
}

function stopOnSignals(close: () => Promise<void>): () => void {
  const onSignal = () => {
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', onSignal);
  process.once('SIGINT', onSignal);
  return () => process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
}
