import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { runContestant } from './contestant-process.js';
import { listen } from './listen.js';
import { plainAnswers, type Message } from './plain-answers.js';
import { ENDPOINT } from './work.js';

void runContestant((settings) => {
  const answers = plainAnswers(settings);
  const app = new Hono();
  app.post(ENDPOINT, async (c) => {
    const message = await c.req.json<Message>();
    if (message.id === undefined) return c.body(null, 202);
    return c.json(answers.answer(message), 200, answers.sessionHeaders(message));
  });
  const listener = getRequestListener(app.fetch);
  return listen(createServer((req, res) => void listener(req, res)));
});
