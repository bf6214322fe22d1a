import type { RecordedLine } from '@toolwright/json';
import { reasonToLeave } from '../play/left-call.js';
import { keptCalls } from './kept-calls.js';

const line = (
  direction: RecordedLine['direction'],
  at: number,
  message: object,
  more: Partial<RecordedLine> = {},
) => ({ at, direction, transport: 'http', channel: '1', ...more, message }) satisfies RecordedLine;
const asks = (id: unknown, name: string, params: object = {}) => ({
  id,
  method: 'tools/call',
  params: { name, ...params },
});
const answers = (id: unknown, text: string) => ({ id, result: { content: [{ type: 'text', text }] } });
const textOf = (call: { answer?: unknown }) => /"text":"(\w+)"\}\]/.exec(JSON.stringify(call.answer))?.[1];

test('answers in another order belong to their own requests, and 1 is not "1"', () => {
  const { calls } = keptCalls([
    line('received', 0, asks(1, 'a')),
    line('received', 1, asks('1', 'b')),
    line('sent', 5, answers('1', 'b')),
    line('sent', 9, answers(1, 'a')),
  ]);
  expect(calls.map((call) => [call.params['name'], textOf(call), call.ms])).toEqual([
    ['a', 'a', 9],
    ['b', 'b', 4],
  ]);
});

test('one id of two channels is two ids', () => {
  const { calls } = keptCalls([
    line('received', 0, asks(1, 'a')),
    line('received', 0, asks(1, 'b'), { channel: '2' }),
    line('sent', 1, answers(1, 'a')),
    line('sent', 1, answers(1, 'b'), { channel: '2' }),
  ]);
  expect(calls.map(textOf)).toEqual(['a', 'b']);
});

// typescript-sdk#2433, claude-ai-mcp#539: a client that sends each request with the id 1.
test('of two requests with one id that are open at once, nobody knows the answer', () => {
  const { calls } = keptCalls([
    line('received', 0, asks(1, 'a')),
    line('sent', 1, answers(1, 'a')),
    line('received', 2, asks(1, 'b')),
    line('received', 3, asks(1, 'c')),
    line('sent', 4, answers(1, 'c')),
    line('sent', 5, answers(1, 'b')),
  ]);
  expect(calls.map(reasonToLeave)).toEqual([undefined, 'unclear', 'unclear']);
});

test('the rounds of a call are one call, also when two callers ask the same', () => {
  const ann = { principal: { subject: 'ann' } };
  const ben = { principal: { subject: 'ben' }, channel: '2' };
  const asking = {
    id: 1,
    result: { resultType: 'input_required', inputRequests: { q: { method: 'elicitation/create' } } },
  };
  const brings = (text: string) =>
    asks(2, 'a', {
      inputResponses: { q: { action: 'accept', content: { text } } },
      requestState: '[sensitive]',
    });
  const { calls } = keptCalls([
    line('received', 0, asks(1, 'a'), ann),
    line('received', 0, asks(1, 'a'), ben),
    line('sent', 2, asking, ann),
    line('sent', 2, asking, ben),
    line('received', 900, brings('ben'), { ...ben, channel: '3' }),
    line('received', 901, brings('ann'), { ...ann, channel: '4' }),
    line('sent', 903, answers(2, 'ben'), { ...ben, channel: '3' }),
    line('sent', 903, answers(2, 'ann'), { ...ann, channel: '4' }),
  ]);
  expect(calls).toHaveLength(2);
  for (const [at, name] of ['ann', 'ben'].entries()) {
    expect(textOf(calls[at]!)).toBe(name);
    expect(calls[at]!.questions).toMatchObject([{ answer: { result: { content: { text: name } } } }]);
    // The time in which a person thinks is not the server's.
    expect(calls[at]!.ms).toBeLessThan(10);
  }
});

test('a question in a session belongs to the call that is open, unless several are', () => {
  const question = { id: 'q', method: 'roots/list' };
  const answer = { id: 'q', result: { roots: [] } };
  const one = keptCalls([
    line('received', 0, asks(1, 'a')),
    line('sent', 1, question),
    line('received', 500, answer),
    line('sent', 501, answers(1, 'a')),
  ]);
  expect(one.calls[0]).toMatchObject({
    ms: 2,
    questions: [{ method: 'roots/list', answer: { result: {} } }],
  });
  const two = keptCalls([
    line('received', 0, asks(1, 'a')),
    line('received', 0, asks(2, 'b')),
    line('sent', 1, question),
    line('received', 500, answer),
    line('sent', 501, answers(1, 'a')),
    line('sent', 501, answers(2, 'b')),
  ]);
  expect(two.calls.map(reasonToLeave)).toEqual(['unclear', 'unclear']);
});

test.each([
  ['unanswered', [line('received', 0, asks(1, 'a'))]],
  ['task', [line('received', 0, asks(1, 'a', { task: { ttl: 1 } })), line('sent', 1, answers(1, 'a'))]],
  [
    'task',
    [
      line('received', 0, asks(1, 'a')),
      line('sent', 1, { id: 1, result: { resultType: 'task', taskId: 't' } }),
    ],
  ],
  [
    'cursor',
    [
      line('received', 0, { id: 1, method: 'tools/list', params: { cursor: 'c' } }),
      line('sent', 1, answers(1, 'a')),
    ],
  ],
  [
    'inexact',
    [line('received', 0, asks(1, 'a', { arguments: { n: 2 ** 53 } })), line('sent', 1, answers(1, 'a'))],
  ],
  [
    'inexact',
    [
      line('received', 0, asks(1, 'a', { arguments: { n: JSON.parse('1e999') as number } })),
      line('sent', 1, answers(1, 'a')),
    ],
  ],
  [
    'hidden',
    [
      line('received', 0, { id: 1, method: 'resources/read', params: { uri: 'note:…' } }),
      line('sent', 1, answers(1, 'a')),
    ],
  ],
  [
    'hidden',
    [
      line('received', 0, asks(1, 'a', { arguments: { a: [{ pin: '[sensitive]' }] } })),
      line('sent', 1, answers(1, 'a')),
    ],
  ],
])('a call is left: %s', (reason, lines) =>
  expect(keptCalls(lines).calls.map(reasonToLeave)).toEqual([reason]),
);

test('a call whose question has a hidden answer is left, in both eras', () => {
  const session = keptCalls([
    line('received', 0, asks(1, 'a')),
    line('sent', 1, { id: 'q', method: 'sampling/createMessage' }),
    line('received', 2, { id: 'q', result: '[sensitive]' }),
    line('sent', 3, answers(1, 'a')),
  ]);
  const inputRequests = { q: { method: 'sampling/createMessage' } };
  const rounds = keptCalls([
    line('received', 0, asks(1, 'a')),
    line('sent', 1, { id: 1, result: { resultType: 'input_required', inputRequests } }),
    line('received', 2, asks(2, 'a', { inputResponses: { q: '[sensitive]' } })),
    line('sent', 3, answers(2, 'a')),
  ]);
  for (const { calls } of [session, rounds]) expect(calls.map(reasonToLeave)).toEqual(['hidden']);
});

test.each([
  ['a round', { inputResponses: {} }],
  ['a question', {}],
])('%s with more levels than a stack is one call that is left, and the others are read', (_name, more) => {
  let deep: unknown = 1;
  for (let level = 0; level < 20_000; level++) deep = [deep];
  const { calls } = keptCalls([
    line('received', 0, asks(1, 'a', { arguments: { deep }, ...more })),
    line('sent', 1, { id: 1, result: { resultType: 'input_required', inputRequests: {} } }),
    line('received', 2, asks([[2]], 'b')),
    line('received', 2, asks(3, 'b')),
    line('sent', 3, answers(3, 'b')),
  ]);
  expect(calls.map((call) => textOf(call))).toEqual([undefined, undefined, 'b']);
  expect(reasonToLeave(calls[0]!)).toBe('unreadable');
});

test('what belongs to a connection is counted, and is not a call', () => {
  const { calls, others } = keptCalls([
    line('received', 0, { id: 1, method: 'initialize', params: {} }),
    line('received', 0, { method: 'notifications/initialized' }),
    line('received', 0, { id: 2, method: 'ping' }),
    line('received', 0, [asks(3, 'batch')]),
  ]);
  expect([calls, others]).toEqual([[], 2]);
});
