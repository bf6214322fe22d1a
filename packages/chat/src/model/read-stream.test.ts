import { readReply } from './read-reply.js';
import { readStream } from './read-stream.js';

const stream = (...parts: readonly object[]) =>
  `${parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('')}data: [DONE]\n\n`;
const delta = (given: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: given, finish_reason }],
});
const call = (index: number | undefined, more: object, fn: object) =>
  delta({ tool_calls: [{ ...(index !== undefined && { index }), ...more, function: fn }] });

test('Unsloth #6570: a stream that nobody asked for is read as one answer', () => {
  const text = stream(
    delta({ role: 'assistant', content: '' }),
    delta({ reasoning_content: 'Hm.' }),
    delta({ content: 'I ' }),
    delta({ content: 'look.' }),
    call(0, { id: 'a', type: 'function' }, { name: 'find', arguments: '' }),
    call(0, {}, { arguments: '{"id"' }),
    call(1, { id: 'b' }, { name: 'list', arguments: '{}' }),
    call(0, { id: '' }, { name: 'find', arguments: ':7}' }),
    delta({}, 'tool_calls'),
    { choices: [], usage: { prompt_tokens: 9, completion_tokens: 4 } },
  );
  expect(readReply(readStream(text))).toMatchObject({
    text: 'I look.',
    reasoning: 'Hm.',
    wantsReasoning: true,
    calls: [
      { id: 'a', name: 'find', arguments: { id: 7 } },
      { id: 'b', name: 'list', arguments: {} },
    ],
    usage: { inputTokens: 9, outputTokens: 4 },
    notes: [],
  });
});

test('9router #3492: a whole answer with the end of a stream behind it', () => {
  const whole = { choices: [{ message: { content: 'OK' } }] };
  for (const text of [
    `${JSON.stringify(whole)}data: [DONE]`,
    `data: ${JSON.stringify(whole)}\n\ndata: [DONE]\n`,
  ])
    expect(readReply(readStream(text))).toMatchObject({ text: 'OK' });
});

test('an error in a stream is found, and other texts are no streams', () => {
  const error = { error: { message: 'overloaded' } };
  expect(readStream(stream(delta({ content: 'a' }), error))).toEqual(error);
  for (const text of ['', '<html>', 'data: nothing', ': ping\n\n']) expect(readStream(text)).toBeUndefined();
});
