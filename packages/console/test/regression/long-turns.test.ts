import { getEventListeners } from 'node:events';
import { calls, says } from '../../../chat/test/support/stub-model.js';
import { consoleWith } from '../support/chat-console.js';
import { smallServer } from '../support/small-server.js';

test('a turn of many calls leaves no listener behind', async () => {
  const server = await smallServer();
  server.tools.update('who_am_i', { annotations: { readOnlyHint: true } });
  const many = Array.from({ length: 15 }, (_, id) => ['who_am_i', { word: String(id) }, `c${id}`] as const);
  const console = await consoleWith(server, calls(...many), says({ content: 'Done.' }));
  const listened = jest.spyOn(AbortSignal.prototype, 'addEventListener');
  await console.inside.ask('sendToChat', { ...console.of, text: 'Who am I?' });
  const chat = await console.ended();
  expect(chat.turns[0]!.answers[0]!.calls.every(({ call }) => call !== undefined)).toBe(true);
  const signals = listened.mock.contexts as AbortSignal[];
  listened.mockRestore();
  // The signal of the turn is one of them.
  expect(signals.length).toBeGreaterThan(15);
  const left = signals.map((signal) => getEventListeners(signal, 'abort').length);
  expect(Math.max(...left)).toBeLessThan(2);
});

test('a message without a text is not sent', async () => {
  const console = await consoleWith(await smallServer(), says({ content: 'Hello.' }));
  const { inside, of, model } = console;
  for (const text of [undefined, null, 7, {}])
    await expect(inside.ask('sendToChat', { ...of, text: text as never })).rejects.toThrow(
      'Write something first.',
    );
  expect(model.requests).toEqual([]);
});
