import { createMcpServer } from '@toolwright/core';
import { mcpExpress } from '@toolwright/express';
import type { RequestHandler } from 'express';
import { AppTools } from './app-tools.js';

/** Rejects when the tools and their manifest do not fit, which ends the process. Call its `drain()` before the app stops. */
export const mcpServer = createMcpServer({
  name: 'my-server',
  version: '0.1.0',
  services: [AppTools],
});

mcpServer.catch((error: unknown) => {
  // A wrong set-up says what it is; other errors need their stack.
  console.error(error instanceof Error && 'code' in error ? error.message : error);
  process.exit(1);
});

// Only loopback Hosts are answered until `allowedHosts` lists the names that clients call this app by.
const endpoint = mcpServer.then((server) => mcpExpress(server));

/** Requests that come before the server is ready wait for it. */
export const mcpEndpoint: RequestHandler = (request, response, next) => {
  endpoint.then((answer) => answer(request, response, next), next);
};
