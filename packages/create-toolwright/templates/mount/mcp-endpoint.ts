import { createMcpServer } from '@toolwright/core';
import { mcpExpress } from '@toolwright/express';
import type { RequestHandler } from 'express';
import { AppTools } from './app-tools.js';

/** The promise rejects if the tools do not fit their manifest, and the process ends. Call `drain()` before the app stops. */
export const mcpServer = createMcpServer({
  name: 'my-server',
  version: '0.1.0',
  services: [AppTools],
});

mcpServer.catch((error: unknown) => {
  // Errors with a code, such as a wrong option, explain themselves. Others need their stack.
  console.error(error instanceof Error && 'code' in error ? error.message : error);
  process.exit(1);
});

// The endpoint accepts only loopback names as Host until you list your host names in `allowedHosts`.
const endpoint = mcpServer.then((server) => mcpExpress(server));

/** Requests that arrive before the server is ready wait for it. */
export const mcpEndpoint: RequestHandler = (request, response, next) => {
  endpoint.then((answer) => answer(request, response, next), next);
};
