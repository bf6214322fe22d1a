import { createMcpServer, type McpServer, type ServerOptions } from '@toolwright/core';
import type { Logger } from '@toolwright/core/ports';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** A server with one tool, which says whom it works for. */
export async function smallServer(options: Partial<ServerOptions> = {}): Promise<McpServer> {
  const name = 'small';
  const server = await createMcpServer({ name, version: '1.0.0', services: [], logger: silent, ...options });
  server.tools.add({
    name: 'who_am_i',
    inputSchema: { type: 'object', properties: { word: { type: 'string' } } },
    handler: (_args, { principal }) => `caller: ${principal?.subject ?? 'anonymous'}`,
  });
  return server;
}
