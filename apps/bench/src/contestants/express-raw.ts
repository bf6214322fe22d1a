import { createServer } from 'node:http';
import express from 'express';
import { runContestant } from './contestant-process.js';
import { listen } from './listen.js';
import { plainAnswers, type Message } from './plain-answers.js';
import { respondSpecially } from './plain-respond.js';
import { readBody } from './read-body.js';
import { ENDPOINT } from './work.js';

void runContestant((settings) => {
  const answers = plainAnswers(settings);
  const app = express();
  app.post(ENDPOINT, (req, res) =>
    readBody<Message>(req, (message) => {
      if (respondSpecially(answers, message, res)) return;
      res.set(answers.sessionHeaders(message)).json(answers.answer(message));
    }),
  );
  return listen(createServer(app));
});
