import { serve } from '@hono/node-server';
import { handler } from './handler.mjs';

serve({ fetch: handler, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  console.log(`listening on http://127.0.0.1:${port}/mcp`),
);
