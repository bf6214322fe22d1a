import { chatLimits } from '../src/chat-limits.js';
import { calls, says, StubModel } from './support/stub-model.js';
import { TestChat, tool } from './support/test-host.js';

const order = { result: { content: [{ type: 'text', text: '{"id":7}' }] } };

test('a turn calls tools, gives their results to the model, and counts tokens and time', async () => {
  const model = await StubModel.start(
    calls(['find_order', { id: 7 }]),
    says({ content: 'It is on its way.' }),
  );
  const host = new TestChat(model, { run: () => order });
  const turn = await host.send('Where is order 7?');
  expect(turn).toMatchObject({
    number: 1,
    text: 'Where is order 7?',
    state: 'ended',
    tokens: { inputTokens: 200, outputTokens: 20 },
    durationMs: expect.any(Number) as number,
    answers: [
      { text: '', calls: [{ tool: 'find_order', arguments: { id: 7 }, state: 'ended', call: 'call-1' }] },
      { text: 'It is on its way.', calls: [] },
    ],
  });
  expect(turn.problem).toBeUndefined();
  expect(model.request(0)).toMatchObject({
    path: '/v1/chat/completions',
    body: { model: 'stub', stream: false, tools: [{ function: { parameters: { properties: {} } } }, {}] },
  });
  expect(model.request(1).body.messages).toEqual([
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Where is order 7?' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [
        { id: 'call_find_order', type: 'function', function: { name: 'find_order', arguments: '{"id":7}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_find_order', content: '{"id":7}' },
  ]);
});

test('where a provider counts no tokens, they are estimated, and it says so', async () => {
  const model = await StubModel.start(says({ content: 'Hello.' }, { usage: null }));
  const { tokens } = await new TestChat(model).send('Hello');
  expect(tokens).toMatchObject({ isEstimate: true });
  expect(tokens.inputTokens).toBeGreaterThan(10);
});

test('a provider gets back what is its own: ids that are missing or given twice, signatures, thoughts', async () => {
  const call = { type: 'function', function: { name: 'find_order', arguments: '{"id":1}' } };
  const signed = { ...call, id: 'x', extra_content: { google: { thought_signature: 'CiQB' } } };
  const model = await StubModel.start(
    says({ reasoning_content: 'Hm.', tool_calls: [signed, { ...call, id: 'x' }, { ...call, id: '' }] }),
    says({ content: 'Done.' }),
  );
  await new TestChat(model).send('Look.');
  const [, , reply, ...results] = model.request(1).body.messages;
  expect(reply).toMatchObject({
    reasoning_content: 'Hm.',
    tool_calls: [{ id: 'x', extra_content: signed.extra_content }, { id: 'call00001' }, { id: 'call00002' }],
  });
  expect(results.map((each) => each['tool_call_id'])).toEqual(['x', 'call00001', 'call00002']);
});

test('broken arguments and unknown tools are no calls: the model reads why, and may do better', async () => {
  const model = await StubModel.start(
    calls(['find_order', '{"id":7'], ['find_orders', {}, 'b'], ['', {}, 'c']),
    calls(['find_order', { id: 7 }, 'd']),
    says({ content: 'Found.' }),
  );
  const host = new TestChat(model);
  const turn = await host.send('Find it.');
  expect(host.made.map(({ arguments: args }) => args)).toEqual([{ id: 7 }]);
  expect(turn.answers[0]!.calls).toMatchObject([
    { arguments: '{"id":7', problem: expect.stringContaining('not a JSON object: {"id":7') as string },
    { problem: 'There is no tool "find_orders". Did you mean \'find_order\'?' },
    { problem: 'This call names no tool.' },
  ]);
  const [, , reply, ...results] = model.request(1).body.messages;
  // Servers that read the arguments of earlier calls fail on text that is not JSON.
  expect(reply).toMatchObject({
    tool_calls: [{ function: { arguments: '{}' } }, {}, { function: { name: 'unnamed' } }],
  });
  expect(results).toHaveLength(3);
  expect(turn.problem).toBeUndefined();
});

test('a model that answers nonsense again and again is stopped', async () => {
  const model = await StubModel.start(calls(['find_order', 'give me order 7']));
  const turn = await new TestChat(model).send('Find it.');
  expect(turn.answers).toHaveLength(chatLimits.brokenAnswers);
  expect(turn.problem).toMatchObject({
    code: 'TW_CHAT_LIMIT',
    message: expect.stringMatching(
      /3 answers whose calls cannot be made. The last problem: The arguments/,
    ) as string,
  });
});

test('a model that repeats one call is stopped', async () => {
  const model = await StubModel.start(calls(['find_order', { id: 7 }]));
  const host = new TestChat(model);
  const turn = await host.send('Find it.');
  expect(host.made).toHaveLength(chatLimits.sameCalls);
  expect(turn.problem?.message).toMatch(/^The model repeats itself: it has called find_order 3 times/);
});

test('a turn has a number of calls and of answers', async () => {
  const many = Array.from({ length: 40 }, (_, id) => ['find_order', { id }, `c${id}`] as const);
  const wide = new TestChat(await StubModel.start(calls(...many)));
  expect((await wide.send('All.')).problem?.message).toMatch(/^The model has made 30 calls in this turn/);
  expect(wide.made).toHaveLength(chatLimits.calls);
  const steps = Array.from({ length: 20 }, (_, id) => calls(['find_order', { id }]));
  const deep = new TestChat(await StubModel.start(...steps));
  expect((await deep.send('All.')).problem?.message).toMatch(/^The model has answered 12 times/);
});

test('after a turn that was cut the conversation is one that every provider takes', async () => {
  const model = await StubModel.start(
    { json: { error: { message: 'overloaded' } }, status: 503 },
    ...[1, 2, 3, 4].map(() => calls(['find_order', { id: 7 }])),
    says({ content: 'Hello.' }),
  );
  const host = new TestChat(model);
  expect((await host.send('First.')).problem).toMatchObject({ code: 'TW_CHAT_REFUSED' });
  expect((await host.send('Second.')).problem).toMatchObject({ code: 'TW_CHAT_LIMIT' });
  await host.send('Third.');
  const roles = model.request(-1).body.messages.map(({ role }) => role);
  const pair = ['assistant', 'tool'];
  expect(roles).toEqual(['system', 'user', ...pair, ...pair, ...pair, ...pair, 'assistant', 'user']);
  expect(model.request(-1).body.messages[1]).toMatchObject({ content: 'Second.' });
});

test('a call that may change something waits for the person', async () => {
  const model = await StubModel.start(
    calls(['refund_order', { id: 7 }, 'a'], ['refund_order', { id: 8 }, 'b']),
    says({ content: 'Done.' }),
  );
  const host = new TestChat(model, { asking: ['refund_order'] });
  host.chat.send('Refund both.');
  const asks = (id: string) =>
    host.until(({ answers }) =>
      answers.some(({ calls: made }) => made.some((each) => each.id === id && each.state === 'asks')),
    );
  await asks('a');
  expect(host.made).toEqual([]);
  expect(host.chat.allow('a', true)).toBe(true);
  await asks('b');
  expect(host.chat.allow('a', true)).toBe(false);
  host.chat.allow('b', false);
  const turn = await host.until(({ state }) => state === 'ended');
  expect(host.made.map(({ arguments: args }) => args)).toEqual([{ id: 7 }]);
  expect(turn.answers[0]!.calls[1]).toMatchObject({ problem: 'The person has refused this call.' });
  // What a person has refused is not what a model should do.
  expect(host.chat.cases(1)[0]!.expect).toEqual([{ tool: 'refund_order', arguments: { id: 7 } }]);
  expect(model.request(-1).body.messages.at(-1)).toMatchObject({
    content: 'The person has refused this call.',
  });
});

test('stop ends a turn that waits for the model, for a tool, or for the person', async () => {
  const waiting = new TestChat(await StubModel.start('hang'));
  waiting.chat.send('Hello?');
  // The turn is seen before its first answer.
  expect(waiting.changes).toBe(1);
  waiting.chat.stop();
  expect((await waiting.until(({ state }) => state === 'ended')).problem).toMatchObject({
    code: 'TW_CHAT_STOPPED',
  });

  const slow = new TestChat(
    await StubModel.start(calls(['find_order', {}], ['find_order', { id: 2 }, 'b'])),
    {
      run: ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ error: 'cancelled' }))),
    },
  );
  slow.chat.send('Find it.');
  await slow.until(({ answers }) => answers[0]?.calls[0]?.call !== undefined);
  slow.chat.stop();
  const turn = await slow.until(({ state }) => state === 'ended');
  expect(slow.made).toHaveLength(1);
  expect(turn.answers[0]!.calls[1]).toMatchObject({ problem: expect.stringContaining('stopped') as string });

  const asking = new TestChat(await StubModel.start(calls(['refund_order', {}])), {
    asking: ['refund_order'],
  });
  asking.chat.send('Refund.');
  await asking.until(({ answers }) => answers[0]?.calls[0]?.state === 'asks');
  asking.chat.stop();
  expect((await asking.until(({ state }) => state === 'ended')).problem).toMatchObject({
    code: 'TW_CHAT_STOPPED',
  });
  expect(asking.made).toEqual([]);
});

test('results are text for the model: long ones are cut, and what is no text is named', async () => {
  const content = [
    { type: 'text', text: 'a' },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    { type: 'resource_link', uri: 'file:///a.txt', name: 'a' },
    { type: 'resource', resource: { uri: 'file:///b.txt', text: 'b' } },
  ];
  const ends = [
    { result: { content } },
    { result: { structuredContent: { id: 7 } } },
    { result: { content: [{ type: 'text', text: 'gone' }], isError: true } },
    { result: { content: [{ type: 'text', text: 'x'.repeat(60_000) }] } },
    { error: 'Unknown.' },
    { result: {} },
  ];
  const wanted = ends.map((_, id) => ['find_order', { id }, `c${id}`] as const);
  const model = await StubModel.start(calls(...wanted), says({ content: 'ok' }));
  await new TestChat(model, { run: (call) => ends[Number(call.arguments['id'])]! }).send('All.');
  const texts = model
    .request(1)
    .body.messages.slice(-6)
    .map(({ content: text }) => String(text));
  expect(texts[0]).toBe(
    'a\n[image image/png, 4 characters of base64: it is shown to the person only]\n[file:///a.txt]\nb',
  );
  expect(texts[1]).toBe('{"id":7}');
  expect(texts[2]).toBe('Error: gone');
  expect(texts[3]!.slice(-50)).toMatch(/x\n\[10000 more characters were left out here]$/);
  expect(texts.slice(4)).toEqual(['Error: Unknown.', 'The tool has returned nothing.']);
});

test('names with dots and schemas with a dialect are written as models take them', async () => {
  const tools = [
    tool('orders.find', { inputSchema: { $schema: 'x', type: 'object', properties: { id: {} } } }),
  ];
  const model = await StubModel.start(calls(['orders_find', { id: 7 }]), says({ content: 'ok' }));
  const host = new TestChat(model, { tools });
  await host.send('Find it.');
  expect(model.request(0).body.tools).toEqual([
    {
      type: 'function',
      function: { name: 'orders_find', parameters: { type: 'object', properties: { id: {} } } },
    },
  ]);
  expect(host.made[0]!.tool).toBe('orders.find');
  expect(host.chat.cases(1)[0]!.expect).toEqual([{ tool: 'orders.find', arguments: { id: 7 } }]);
});

test('a caller without tools gets no list of tools', async () => {
  const model = await StubModel.start(says({ content: 'Hello.' }));
  await new TestChat(model, { tools: [] }).send('Hello');
  expect(model.request(0).body.tools).toBeUndefined();
});

test('what cannot be sent says why', async () => {
  const model = await StubModel.start('hang');
  const host = new TestChat(model);
  expect(() => host.chat.send('  ')).toThrow('Write something first.');
  expect(() => host.chat.send('x'.repeat(20_001))).toThrow('20000 characters');
  host.chat.send('Hello');
  expect(() => host.chat.send('Hello again')).toThrow('Stop it first.');
  host.chat.stop();
  await host.until(({ state }) => state === 'ended');
  const quick = new TestChat(await StubModel.start(says({ content: 'ok' })));
  for (let count = 0; count < chatLimits.turns; count++) await quick.send('Hello');
  expect(() => quick.chat.send('Hello')).toThrow('at most 50 turns');
});
