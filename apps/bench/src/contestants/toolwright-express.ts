import { createServer } from 'node:http';
import { mcpExpress } from '@toolwright/express';
import express from 'express';
import { runContestant } from './contestant-process.js';
import { listen } from './listen.js';
import { oauthOption } from './toolwright-oauth.js';
import { toolwrightServer } from './toolwright-server.js';
import { ENDPOINT } from './work.js';

void runContestant(async (settings) => {
  const app = express();
  app.use(ENDPOINT, mcpExpress(await toolwrightServer(settings), oauthOption(settings)));
  return listen(createServer(app));
});
