import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { HttpServed } from '../endpoint/open-endpoint.js';
import { HttpConnections, addressOptions, listen } from './server-life.js';
import { mcpHealth, mcpReady } from './mcp-health.js';

export interface ServeHealthOptions {
  /** The port to listen on. 0 means any free port. */
  port: number;
  /** The address to listen on. Default `127.0.0.1`. The probes of Kubernetes need `0.0.0.0`. */
  host?: string;
}

export interface HealthService {
  readonly port: number;
  /** Answers no more probes. The MCP server goes on. */
  close(): Promise<void>;
}

const schema = addressOptions satisfies OptionSchema<ServeHealthOptions>;

/** How many milliseconds a probe may take to send its request. */
const PATIENCE_MS = 5_000;

/**
 * Answers `/healthz` as `mcpHealth` and `/readyz` as `mcpReady`, on a port of its own, for a process that serves no MCP
 * over HTTP, such as one that works on tasks. From the moment at which the server stops, both answer 503.
 *
 * @throws {ConfigurationError} with all problems of the options
 * @throws {Error} when it cannot listen on the port, for example because the port is taken (`code` EADDRINUSE)
 * @example
 * await serveTasks(server, { concurrency: 20 });
 * await serveHealth(server, { port: 9090, host: '0.0.0.0' });
 */
export async function serveHealth(server: HttpServed, given: ServeHealthOptions): Promise<HealthService> {
  const options = parseOptions('serveHealth', schema, given);
  const limits = { requestTimeout: PATIENCE_MS, connectionsCheckingInterval: PATIENCE_MS };
  const http = createServer(limits, routes(server));
  const connections = new HttpConnections(http);
  const port = await listen(http, options, server.protocol.logger);
  return { port, close: () => connections.close() };
}

function routes(server: HttpServed) {
  const health = mcpHealth(server);
  const ready = mcpReady(server);
  return (req: IncomingMessage, res: ServerResponse) => {
    const [path] = (req.url ?? '').split('?', 1);
    if (path === '/healthz') return health(req, res);
    if (path === '/readyz') return ready(req, res);
    res.writeHead(404, { 'Content-Length': 0 }).end();
  };
}
