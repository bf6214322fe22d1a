import type { ServerResponse } from 'node:http';
import type { Message, plainAnswers } from './plain-answers.js';

type Answers = ReturnType<typeof plainAnswers>;

const event = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

/** Deals with what is not one JSON answer, the same way for all plain contestants: notifications and streams. */
export function respondSpecially(answers: Answers, message: Message, res: ServerResponse): boolean {
  if (message.method === 'subscriptions/listen') {
    openStream(res).write(event({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged' }));
    return true;
  }
  if (message.id === undefined) {
    res.writeHead(202).end();
    return true;
  }
  if (message.params._meta?.progressToken === undefined) return false;
  openStream(res);
  for (const notification of answers.progress(message)) res.write(event(notification));
  res.end(event(answers.answer(message)));
  return true;
}

function openStream(res: ServerResponse): ServerResponse {
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  return res;
}
