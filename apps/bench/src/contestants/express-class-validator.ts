import 'reflect-metadata';
import { createServer } from 'node:http';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import express from 'express';
import { PageDto } from '../validation/page-dto.js';
import { runContestant } from './contestant-process.js';
import { listen } from './listen.js';
import { plainAnswers, type Message } from './plain-answers.js';
import { ENDPOINT } from './work.js';

/** The plain server for DTOs, with the validation that the decorators of the DTO ask for. */
void runContestant((settings) => {
  const answers = plainAnswers(settings);
  const app = express();
  app.use(express.json({ limit: '4mb' }));
  app.post(ENDPOINT, async (req, res) => {
    const message = req.body as Message;
    const page = plainToInstance(PageDto, message.params.arguments);
    const problems = await validate(page, { whitelist: true, forbidNonWhitelisted: true });
    if (problems.length > 0) res.sendStatus(400);
    else
      res.json(
        answers.answer({ ...message, params: { ...message.params, arguments: page } as Message['params'] }),
      );
  });
  return listen(createServer(app));
});
