/* global Bun */
import { handler } from './handler.mjs';

// `idleTimeout` ends quiet connections after 10 s by default. Streams are kept open by a comment every 15 s.
const { port } = Bun.serve({ fetch: handler, hostname: '127.0.0.1', port: 0, idleTimeout: 60 });
console.log(`listening on http://127.0.0.1:${port}/mcp`);
