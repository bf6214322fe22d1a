import { createServer } from 'node:http';
import express from 'express';
import { runContestant } from './contestant-process.js';
import { gateOf } from './gate.js';
import { listen } from './listen.js';
import { plainAnswers } from './plain-answers.js';
import { respondSpecially } from './plain-respond.js';
import { ENDPOINT } from './work.js';

void runContestant(async (settings) => {
  const answers = plainAnswers(settings);
  const mayPass = await gateOf(settings);
  const app = express();
  if (mayPass) {
    app.use(async (req, res, next) => {
      if (await mayPass(req.headers)) next();
      else res.sendStatus(401);
    });
  }
  app.use(express.json({ limit: '4mb' }));
  app.post(ENDPOINT, (req, res) => {
    if (respondSpecially(answers, req.body, res)) return;
    const later = answers.later(req.body);
    if (later) {
      void later.then((answer) => res.json(answer));
      return;
    }
    res.set(answers.sessionHeaders(req.body)).json(answers.answer(req.body));
  });
  return listen(createServer(app));
});
