import { runHandler } from './fetch-process.js';
import { plainAnswers, type Message } from './plain-answers.js';

void runHandler((settings) => {
  const answers = plainAnswers(settings);
  return async (request) => Response.json(answers.answer((await request.json()) as Message));
});
