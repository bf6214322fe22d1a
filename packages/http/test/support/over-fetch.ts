import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  healthResponse,
  mcpFetch,
  type FetchHandler,
  type HttpServedAlone,
  type HttpService,
  type McpFetchOptions,
  type McpHttpOptions,
  type ServeHttpOptions,
} from '@toolwright/http';

// Stands for `src/index.js` in the project "packages/http over fetch": the same functions, over `mcpFetch`.
export * from '@toolwright/http';

// @hono/node-server prints an error when a stream is cut off, as these tests make clients read too slowly.
const { error: print } = console;
console.error = (...values: unknown[]) => {
  if ((values[0] as Error | undefined)?.message !== 'The stream was cut off.') print(...values);
};

/** Options that take a request of node:http get one with what these tests read of it. */
function asFetchOptions({ principal, authenticate, ip, ...rest }: McpHttpOptions): McpFetchOptions {
  const asNode = (request: Request) =>
    ({ headers: Object.fromEntries(request.headers) }) as unknown as IncomingMessage;
  return {
    ...rest,
    ...(principal && { principal: (request) => principal(asNode(request)) }),
    ...(authenticate && { authenticate: (request) => authenticate(asNode(request)) }),
    ...(ip && { clientAddress: (request) => ip(asNode(request)) }),
  };
}

function listenerOf(handler: FetchHandler): RequestListener {
  const listener = getRequestListener(handler);
  return (req, res) => void listener(req, res);
}

export function mcpHttp(server: HttpServedAlone, options: McpHttpOptions = {}): RequestListener {
  return listenerOf(mcpFetch(server, asFetchOptions(options)));
}

export async function serveHttp(server: HttpServedAlone, given: ServeHttpOptions): Promise<HttpService> {
  const { port, host = '127.0.0.1', path = '/mcp', healthPath, readyPath, drainDelay, ...more } = given;
  const { grace, signals, headersTimeout, requestTimeout, ...options } = more;
  const endpoint = mcpFetch(server, asFetchOptions(options));
  const answer = (request: Request, connection: unknown): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === path) return endpoint(request, connection);
    if (pathname === '/healthz') return healthResponse(server, request);
    return options.oauth?.metadataResponse(request) ?? Promise.resolve(new Response(null, { status: 404 }));
  };
  const http = createServer(listenerOf(answer));
  await new Promise<void>((resolve) => http.listen(port, host, resolve));
  const bound = (http.address() as AddressInfo).port;
  let closing: Promise<void> | undefined;
  const stop = async () => {
    await server.protocol.drain(grace);
    await new Promise((resolve) => http.close(resolve).closeAllConnections());
    await server.close?.();
  };
  return { url: `http://${host}:${bound}${path}`, port: bound, close: () => (closing ??= stop()) };
}
