import type { MaybePromise } from '@toolwright/core';
import { parseOptions } from '@toolwright/core/options';
import { openEndpoint, type HttpServed } from '../endpoint/open-endpoint.js';
import { endpointSettings } from '../endpoint/options.js';
import { connectionAddress } from './connection-address.js';
import { FetchExchange } from './fetch-exchange.js';
import { mcpFetchOptions, type McpFetchOptions } from './fetch-options.js';

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
      // A handler never throws, so there is none.
      if (opened === opening) opened = undefined;
      throw error;
    }
  };
}

/** Without a list of hosts, only this machine may ask. The operator must know when nobody can hold to that. */
function tellOnce({ protocol }: HttpServed): () => undefined {
  let wasTold = false;
  return () => {
    if (!wasTold)
      protocol.logger.warn(
        { option: 'clientAddress' },
        'Nobody tells mcpFetch from where its callers come, so it only checks that Host is a name of this machine. Set "clientAddress" or "allowedHosts", or listen on 127.0.0.1 only.',
      );
    wasTold = true;
    return undefined;
  };
}
