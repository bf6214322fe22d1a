import { mcpFetch } from '@toolwright/http';
import { runHandler } from './fetch-process.js';
import { toolwrightServer } from './toolwright-server.js';

void runHandler(async (settings) => {
  const handler = mcpFetch(await toolwrightServer(settings));
  return async (request) => handler(request);
});
