import type { McpServer } from '@toolwright/core';
import { mcpFetch } from '@toolwright/http';
import { Hono } from 'hono';

/** A Hono app with routes of its own. */
export function createHonoApp(server: McpServer): Hono {
  const app = new Hono();
  app.get('/', (c) => c.text('contacts'));
  const mcp = mcpFetch(server);
  app.all('/mcp', (c) => mcp(c.req.raw, c.env));
  return app;
}
