import { serve } from '@hono/node-server';
import { mcpFetch } from '@toolwright/http';
import { createContactServer } from '../dist/contact-server.js';

const server = await createContactServer();
serve({ fetch: mcpFetch(server), hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  console.log(`listening on http://127.0.0.1:${port}/mcp`),
);
