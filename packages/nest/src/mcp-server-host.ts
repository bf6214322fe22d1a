import type { McpServer } from '@toolwright/core';

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

  /** @throws {Error} before the app has started */
  get server(): McpServer {
    if (!this.#server)
      throw new Error('The MCP server is there when the app has started: use onApplicationBootstrap.');
    return this.#server;
  }

  /** @internal */
  open(server: McpServer): void {
    this.#server = server;
  }
}
