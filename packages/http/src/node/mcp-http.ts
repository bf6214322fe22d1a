import { parseOptions } from '@toolwright/core/options';
import { openEndpoint, type HttpServed } from '../endpoint/open-endpoint.js';
import { mcpHttpOptions, type McpHttpOptions } from './http-options.js';
import { endpointSettings } from '../endpoint/options.js';
import { listenerOf, type McpHandler } from './node-exchange.js';

/**
 * Serves MCP over HTTP, with both eras on one endpoint. It answers every request itself. It never listens on
 * a port, and never changes the process or the settings of the server. To stop, call `server.drain()`.
 *
 * @throws {ConfigurationError} with all problems of the options
 * @example
 * createServer(mcpHttp(server)).listen(3000, '127.0.0.1');
 */
export function mcpHttp(server: HttpServed, given: McpHttpOptions = {}): McpHandler {
  const options = parseOptions('mcpHttp', mcpHttpOptions, given);
  return listenerOf(openEndpoint(server, endpointSettings(options, options.ip)));
}
