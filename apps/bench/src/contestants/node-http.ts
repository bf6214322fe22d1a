import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { runContestant } from './contestant-process.js';
import { gateOf } from './gate.js';
import { listen } from './listen.js';
import { plainAnswers, type Message } from './plain-answers.js';
import { respondSpecially } from './plain-respond.js';
import { readBody } from './read-body.js';

void runContestant(async (settings) => {
  const answers = plainAnswers(settings);

  if (settings.transport === 'stdio') {
    createInterface({ input: process.stdin }).on('line', (line) => {
      const message = JSON.parse(line) as Message;
      if (message.id !== undefined) process.stdout.write(`${JSON.stringify(answers.answer(message))}\n`);
    });
    return 0;
  }

  const answerTo = (req: IncomingMessage, res: ServerResponse) =>
    readBody<Message>(req, (message) => {
      if (respondSpecially(answers, message, res)) return;
      const send = (answer: object) => {
        const body = JSON.stringify(answer);
        res.writeHead(200, {
          ...answers.sessionHeaders(message),
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        });
        res.end(body);
      };
      const later = answers.later(message);
      if (later) void later.then(send);
      else send(answers.answer(message));
    });
  const mayPass = await gateOf(settings);
  if (!mayPass) return listen(createServer(answerTo));
  return listen(
    createServer((req, res) => {
      void mayPass(req.headers).then((passes) => {
        if (passes) answerTo(req, res);
        else res.writeHead(401).end();
      });
    }),
  );
});
