import { createMcpServer, type McpServer, RequireScopes } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';

/** A server that searches. One of its tools needs a scope. */
export async function shopServer(options: object = {}): Promise<McpServer> {
  const server = await createMcpServer({
    name: 'shop',
    version: '1.0.0',
    services: [],
    audit: false,
    logger: silentLogger,
    ...options,
  });
  const tool = (name: string, description: string) => ({
    name,
    description,
    category: 'orders',
    annotations: { readOnlyHint: true },
    handler: () => 'ok',
  });
  server.tools.add([
    tool('get_order', 'Get an order.'),
    { ...tool('list_refunds', 'List refunds.'), policies: [RequireScopes.entry('refunds:read')] },
  ]);
  return server;
}
