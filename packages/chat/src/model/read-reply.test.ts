import { readReply } from './read-reply.js';

const answer = (message: object, more: object = {}) => ({
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, ...more }],
});

const called = (call: object, more: object = {}) =>
  readReply(answer({ content: null, tool_calls: [call] }, more)).calls[0]!;
const fn = (args: unknown) => ({ id: 'a', type: 'function', function: { name: 'find', arguments: args } });

// The shapes of answers, as users of each provider have reported them.
describe('arguments', () => {
  test.each([
    ['OpenAI: JSON text', '{"id":7}', { id: 7 }],
    ['llama.cpp #20198: an object', { id: 7 }, { id: 7 }],
    ['text of JSON text', JSON.stringify('{"id":7}'), { id: 7 }],
    ['vLLM: no text for a tool without arguments', '', {}],
    ['Ollama: null for a tool without arguments', null, {}],
    ['the text null', 'null', {}],
    ['left out', undefined, {}],
    ['vLLM #22885: the last brace is lost', '{"id":7', undefined],
    [
      'Ollama #11805: the whole call in place of the arguments',
      { name: 'find', arguments: { id: 7 } },
      { id: 7 },
    ],
    [
      'a tool with such arguments',
      { name: 'other', arguments: { id: 7 } },
      { name: 'other', arguments: { id: 7 } },
    ],
    ['a list', '[7]', undefined],
    ['a number', '7', undefined],
    ['a list that is not text', [7], undefined],
  ])('%s', (_title, given, expected) => {
    expect(called(fn(given)).arguments).toEqual(expected);
  });

  test('an integer that no number holds keeps its digits', () => {
    expect(JSON.stringify(called(fn('{"id":9007199254740993}')).arguments)).toBe('{"id":"9007199254740993"}');
  });
});

describe('calls', () => {
  test.each([
    ['null', null],
    ['an empty list', []],
    ['left out', undefined],
    ['something else', 'none'],
  ])('there is no call where tool_calls is %s', (_title, given) => {
    expect(readReply(answer({ content: 'Hello.', tool_calls: given }))).toMatchObject({
      text: 'Hello.',
      calls: [],
    });
  });

  test('Ollama: they count whatever the reason to finish is', () => {
    for (const finish_reason of ['stop', 'tool_calls', 'tool_call', 'end_turn', null, undefined])
      expect(called(fn('{}'), { finish_reason })).toMatchObject({ id: 'a', name: 'find' });
  });

  test('llama.cpp #11992, LM Studio #830: an id may be missing or empty', () => {
    expect(called({ type: 'function', function: { name: 'find', arguments: '{}' } }).id).toBe('');
    expect(called({ id: '', function: { name: 'find', arguments: '{}' } }).id).toBe('');
    expect(called({ id: 3, function: { name: 'find' } }).id).toBe('');
  });

  test('Gemini: a signature of its thoughts is kept', () => {
    const extra_content = { google: { thought_signature: 'CiQB' } };
    expect(called({ ...fn('{}'), extra_content }).others).toEqual({ extra_content });
  });

  test('one call that is not in a list, and the older function_call', () => {
    expect(readReply(answer({ tool_calls: fn('{}') })).calls).toHaveLength(1);
    expect(readReply(answer({ function_call: { name: 'find', arguments: '{"a":1}' } })).calls).toMatchObject([
      { id: '', name: 'find', arguments: { a: 1 } },
    ]);
  });

  test('one without a name or a function', () => {
    expect(called({ id: 'a' })).toMatchObject({ name: '', arguments: {} });
  });
});

describe('text and thoughts', () => {
  const thinking = (thought: unknown) => [
    { type: 'thinking', thinking: thought },
    { type: 'text', text: 'Two.' },
  ];
  test.each([
    ['a text', { content: 'Two.' }, 'Two.', ''],
    [
      'a list of parts',
      {
        content: [
          { type: 'text', text: 'T' },
          { type: 'text', text: 'wo.' },
        ],
      },
      'Two.',
      '',
    ],
    ['Magistral: thoughts in parts', { content: thinking([{ type: 'text', text: 'Hm.' }]) }, 'Two.', 'Hm.'],
    ['thoughts as a text', { content: thinking('Hm.') }, 'Two.', 'Hm.'],
    [
      'Mistral: references',
      {
        content: [
          { type: 'reference', reference_ids: [1] },
          { type: 'text', text: 'Two.' },
        ],
      },
      'Two.',
      '',
    ],
    ['DeepSeek, vLLM', { content: 'Two.', reasoning_content: 'Hm.' }, 'Two.', 'Hm.'],
    ['OpenRouter, Groq', { content: 'Two.', reasoning: 'Hm.' }, 'Two.', 'Hm.'],
    ['tags', { content: '<think>\nHm.\n</think>\n\nTwo.' }, 'Two.', 'Hm.'],
    ['tags without the first one', { content: 'Hm.</think>Two.' }, 'Two.', 'Hm.'],
    ['null content', { content: null, reasoning_content: 'Hm.' }, '', 'Hm.'],
    ['OpenAI: a refusal', { content: null, refusal: 'I cannot.' }, 'I cannot.', ''],
  ])('%s', (_title, message, text, reasoning) => {
    expect(readReply(answer(message))).toMatchObject({ text, reasoning });
  });
});

describe('tokens', () => {
  const usage = (given: unknown) => readReply({ ...answer({ content: 'a' }), usage: given }).usage;
  test.each([
    ['counted', { prompt_tokens: 5, completion_tokens: 2 }, { inputTokens: 5, outputTokens: 2 }],
    [
      'with a cache',
      { prompt_tokens: 5, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
      { inputTokens: 5, outputTokens: 2, cachedInputTokens: 4 },
    ],
    ['null', null, undefined],
    ['left out', undefined, undefined],
    ['zeros', { prompt_tokens: 0, completion_tokens: 0 }, undefined],
    ['no numbers', { prompt_tokens: 'many', completion_tokens: -1 }, undefined],
  ])('%s', (_title, given, expected) => {
    expect(usage(given)).toEqual(expected);
  });
});

describe('notes', () => {
  const notes = (message: object, more: object = {}) => readReply(answer(message, more)).notes;
  test.each([
    ['<tool_call>{"name":"find"}</tool_call>', '<tool_call>'],
    ['[TOOL_CALLS][{"name":"find"}]', '[TOOL_CALLS]'],
    ['<|channel|>commentary to=functions.find <|message|>{}', '<|channel|>'],
    ['```json\n{"name":"find","arguments":{}}\n```', '{"name": "find", …}'],
    ['{"name":"find","parameters":{"id":7}}', '{"name": "find", …}'],
  ])('vLLM #17161: a call in the text %s is named', (content, found) => {
    expect(notes({ content })).toEqual([expect.stringContaining(`(${found})`)]);
  });

  test('text that is like one is an answer', () => {
    for (const content of [
      '{"name":"Ada"}',
      '{ not json }',
      'The tool find takes {"name":"x","arguments":{}}',
    ])
      expect(notes({ content })).toEqual([]);
  });

  test('an answer that was cut, filtered or is empty', () => {
    expect(notes({ content: 'a' }, { finish_reason: 'length' })).toEqual([
      expect.stringContaining('was cut'),
    ]);
    expect(notes({ content: 'a' }, { finish_reason: 'content_filter' })).toEqual([
      expect.stringContaining('filter'),
    ]);
    expect(notes({ content: '' })).toEqual(['The answer is empty: it has no text and no call.']);
    // Ollama #16932
    const usage = { prompt_tokens: 90, completion_tokens: 13 };
    expect(readReply({ ...answer({ content: '' }), usage }).notes).toEqual([
      expect.stringContaining('13 tokens'),
    ]);
  });
});

test.each([
  ['vLLM: null choices', { choices: null }, /has no choices, but the members choices/],
  ['OpenRouter: no choices', { id: 'gen-1', object: 'x' }, /the members id, object/],
  ['an empty list', { choices: [] }, /has no choices/],
  ['a completion', { choices: [{ text: 'Hello' }] }, /must lead to \/chat\/completions/],
  ['a stream', { choices: [{ delta: {} }] }, /no message, but the members delta/],
  ['a list', [1], /a value of the type object/],
  ['null', null, /null/],
])('%s is not an answer', (_title, body, message) => {
  expect(() => readReply(body)).toThrow(message);
});

describe('an answer in which one value is another one', () => {
  const whole = {
    ...answer({
      content: [{ type: 'text', text: 'Two.' }],
      reasoning_content: 'Hm.',
      tool_calls: [fn('{"id":7}')],
    }),
    usage: { prompt_tokens: 5, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
  };
  const odd = [null, 0, -1, '', 'text', true, [], [null], {}, { a: 1 }];

  /** The value with each of its parts replaced by each odd value. */
  function* changed(value: unknown): Generator<unknown> {
    yield* odd;
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value))
      for (const other of changed(part))
        yield Array.isArray(value)
          ? value.map((each: unknown, at) => (String(at) === name ? other : each))
          : { ...value, [name]: other };
  }

  test('is read, or refused with words for a person', () => {
    let count = 0;
    for (const body of changed(whole)) {
      count++;
      try {
        const { text, calls, notes } = readReply(body);
        expect([typeof text, Array.isArray(calls), Array.isArray(notes)]).toEqual(['string', true, true]);
        for (const call of calls)
          expect([typeof call.id, typeof call.name, typeof call.written]).toEqual(Array(3).fill('string'));
      } catch (error) {
        expect(error).toMatchObject({ code: 'TW_CHAT_ANSWER' });
      }
    }
    expect(count).toBeGreaterThan(200);
  });
});
