import { createMcpServer, failStart } from '@toolwright/core';
import { drainOnSignal, mcpExpress, mcpReady, type DrainedApp } from '@toolwright/express';
import type { RequestHandler } from 'express';
import type { Server } from 'node:http';
import { AppTools } from './app-tools.js';

/** The promise rejects if the tools do not fit their manifest, and the process ends. */
export const mcpServer = createMcpServer({
  name: 'my-server',
  version: '0.1.0',
  services: [AppTools],
});

mcpServer.catch(failStart);

// The endpoint accepts only loopback names as Host until you list your host names in `allowedHosts`.
const endpoint = mcpServer.then((server) => mcpExpress(server));

/** Requests that arrive before the server is ready wait for it. */
export const mcpEndpoint: RequestHandler = (request, response, next) => {
  endpoint.then((answer) => answer(request, response, next), next);
};

const readiness = mcpServer.then((server) => mcpReady(server));

/** For the checks of a balancer: `app.get('/readyz', mcpReadiness)`. */
export const mcpReadiness: RequestHandler = (request, response, next) => {
  readiness.then((answer) => answer(request, response)).catch(next);
};

/** Lets the app stop without losing a call: `drainWithApp(app.listen(3000))`. It handles SIGTERM and Ctrl-C. */
export function drainWithApp(listener: Server): DrainedApp {
  return drainOnSignal(mcpServer, listener);
}
