import { createServer } from 'node:http';
import { mcpExpress } from '@toolwright/express';
import { serveStdio } from '@toolwright/stdio';
import { runContestant } from './contestant-process.js';
import { listen } from './listen.js';
import { toolwrightServer } from './toolwright-server.js';

void runContestant(async (settings) => {
  const server = await toolwrightServer(settings);
  if (settings.transport === 'http') return listen(createServer(mcpExpress(server)));
  await serveStdio(server);
  return 0;
});
