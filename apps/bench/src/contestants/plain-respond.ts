import type { ServerResponse } from 'node:http';
import { CLOCK_URI, TOUCH_TOOL } from './work.js';
import type { Message, plainAnswers } from './plain-answers.js';

type Answers = ReturnType<typeof plainAnswers>;

const event = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

/** Deals with what is not one JSON answer, the same way for all plain contestants: notifications and streams. */
export function respondSpecially(answers: Answers, message: Message, res: ServerResponse): boolean {
  if (message.method === 'subscriptions/listen') {
    openStream(res).write(event({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged' }));
    listening.set(res, message.id!);
    res.on('close', () => listening.delete(res));
    return true;
  }
  if (message.params.name === TOUCH_TOOL) listening.forEach(tellOfChange);
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

/** The open streams, and the ids of the requests that opened them. */
const listening = new Map<ServerResponse, number>();

function tellOfChange(id: number, res: ServerResponse): void {
  const params = { uri: CLOCK_URI, _meta: { 'io.modelcontextprotocol/subscriptionId': id } };
  res.write(event({ jsonrpc: '2.0', method: 'notifications/resources/updated', params }));
}

function openStream(res: ServerResponse): ServerResponse {
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  return res;
}
