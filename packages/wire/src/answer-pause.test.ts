import { AnswerPause, ANSWER_PAUSE_MS } from './response-channel.js';
import { errorText, notificationText, requestText, resultText } from './json-rpc.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const progress = notificationText('notifications/progress', { progressToken: 1, progress: 1 });
const log = notificationText('notifications/message', { level: 'info' });
const question = requestText('server-1', 'ping', {});

test.each([
  ['result', resultText(1, '{}')],
  ['result of an id in words', resultText('a "b" \\', '{}')],
  ['error', errorText(1, { rpcCode: -32603, message: 'No.' })],
])('a %s waits when progress was told just before', (_kind, answer) => {
  const sent: string[] = [];
  const send = new AnswerPause().over((text) => sent.push(text));
  for (const text of [progress, log, question, answer]) send(text);
  expect(sent).toEqual([progress, log, question]);
  jest.advanceTimersByTime(ANSWER_PAUSE_MS);
  expect(sent).toEqual([progress, log, question, answer]);
});

test('an answer goes out at once when no progress was told, or a while ago', () => {
  const sent: string[] = [];
  const send = new AnswerPause().over((text) => sent.push(text));
  send(log);
  send(resultText(1, '{}'));
  expect(sent).toHaveLength(2);
  send(progress);
  jest.advanceTimersByTime(ANSWER_PAUSE_MS);
  send(resultText(2, '{}'));
  expect(sent).toHaveLength(4);
});
