import { createMcpServer, type McpServer, type ServerOptions } from '@toolwright/core';
import { type Logger, silentLogger } from '@toolwright/core/ports';

/** A server with one tool, which says whom it works for. */
export async function smallServer(options: Partial<ServerOptions> = {}): Promise<McpServer> {
  const name = 'small';
  const server = await createMcpServer({
    name,
    version: '1.0.0',
    services: [],
    logger: silentLogger,
    ...options,
  });
  server.tools.add({
    name: 'who_am_i',
    inputSchema: { type: 'object', properties: { word: { type: 'string' } } },
    handler: (_args, { principal }) => `caller: ${principal?.subject ?? 'anonymous'}`,
  });
  return server;
}
