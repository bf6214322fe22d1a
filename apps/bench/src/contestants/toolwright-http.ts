import { createServer } from 'node:http';
import { mcpHttp } from '@toolwright/http';
import { serveStdio } from '@toolwright/stdio';
import { runContestant } from './contestant-process.js';
import { listen } from './listen.js';
import { oauthOption } from './toolwright-oauth.js';
import { toolwrightServer } from './toolwright-server.js';

void runContestant(async (settings) => {
  const server = await toolwrightServer(settings);
  if (settings.transport === 'http') return listen(createServer(mcpHttp(server, oauthOption(settings))));
  await serveStdio(server);
  return 0;
});
