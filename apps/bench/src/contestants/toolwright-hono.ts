import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { mcpFetch } from '@toolwright/http';
import { Hono } from 'hono';
import { runContestant } from './contestant-process.js';
import { listen } from './listen.js';
import { toolwrightServer } from './toolwright-server.js';
import { ENDPOINT } from './work.js';

void runContestant(async (settings) => {
  const app = new Hono();
  const mcp = mcpFetch(await toolwrightServer(settings));
  app.all(ENDPOINT, (c) => mcp(c.req.raw, c.env));
  const listener = getRequestListener(app.fetch);
  return listen(createServer((req, res) => void listener(req, res)));
});
