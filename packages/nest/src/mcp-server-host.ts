import type { McpServer } from '@toolwright/core';
import type { NestEndpoint } from './http/nest-endpoint.js';

/**
 * Gives access to the server. Nest makes it before the server, so the server is there from the hook
 * `onApplicationBootstrap` on.
 *
 * @example
 * constructor(private readonly mcp: McpServerHost) {}
 * onApplicationBootstrap() { this.mcp.server.tools.add({ name: 'ping', handler: () => 'pong' }); }
 */
export class McpServerHost {
  #server: McpServer | undefined;
  #endpoint: NestEndpoint | undefined;

  /** @throws {Error} before the app has started */
  get server(): McpServer {
    if (!this.#server)
      throw new Error('The MCP server is there when the app has started: use onApplicationBootstrap.');
    return this.#server;
  }

  /** @internal */
  get endpoint(): NestEndpoint {
    if (!this.#endpoint) throw new Error('The MCP endpoint is there when the app has started.');
    return this.#endpoint;
  }

  /** @internal */
  get hasServer(): boolean {
    return this.#server !== undefined;
  }

  /** @internal */
  open(server: McpServer, endpoint: NestEndpoint | undefined): void {
    this.#server = server;
    this.#endpoint = endpoint;
  }
}
