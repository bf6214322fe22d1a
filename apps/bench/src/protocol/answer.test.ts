import { checkAnswer, readMessages } from './answer.js';
import type { Exchange } from './exchange.js';

const json = (message: object, status = 200): Exchange => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(message),
});

const events = (...messages: object[]): Exchange => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: messages.map((message) => `event: message\nid: 1\ndata: ${JSON.stringify(message)}\n\n`).join(''),
});

const answer = (text: string, id = 7) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }] },
});
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: {} };
const check = (exchange: Exchange, expected = {}) => checkAnswer(exchange, 7, { text: 'yes', ...expected });

test('a right answer passes, as JSON and as events', () => {
  check(json(answer('yes')));
  check(events(progress, answer('yes')), { progress: 1 });
});

test('keep-alive comments and empty events are no messages', () => {
  const stream = events(answer('yes'));
  expect(readMessages({ ...stream, body: `: ping\n\ndata:\n\n${stream.body}` })).toHaveLength(1);
});

test.each<[string, Exchange, object, RegExp]>([
  ['another status', json(answer('yes'), 429), {}, /status 429/],
  ['another text', json(answer('no')), {}, /another text/],
  ['another id', json(answer('yes', 8)), {}, /no result/],
  ['an error', json({ jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'x' } }), {}, /no result/],
  ['a failed call', json({ id: 7, result: { isError: true, content: [] } }), {}, /no result/],
  ['missing progress', events(answer('yes')), { progress: 2 }, /0 progress notifications/],
  [
    'a short list',
    json({ id: 7, result: { tools: [{ name: 'a' }] } }),
    { text: undefined, tools: 2 },
    /1 tools/,
  ],
])('%s is refused', (_case, exchange, expected, message) => {
  expect(() => check(exchange, expected)).toThrow(message);
});
