import { Confirm } from '@toolwright/core';
import { calls, says } from '../../../chat/test/support/stub-model.js';
import { consoleWith, lastText } from '../support/chat-console.js';
import { smallServer } from '../support/small-server.js';

test('a tool that asks for some calls only waits as any other that may change something', async () => {
  const server = await smallServer();
  const made: unknown[] = [];
  server.tools.add({
    name: 'pay',
    annotations: { destructiveHint: true },
    inputSchema: { type: 'object', properties: { cents: { type: 'number' } } },
    policies: [Confirm.entry('Pay?', { when: ({ cents }: { cents: number }) => cents > 50_000 })],
    handler: (args) => {
      made.push(args);
      return 'paid';
    },
  });
  const console = await consoleWith(server, calls(['pay', { cents: 7 }]), says({ content: 'Paid.' }));
  const { inside, of, model } = console;
  await inside.ask('sendToChat', { ...of, text: 'Pay 7 cents.' });
  const { state, id } = await console.until((event) => {
    const call = event.type === 'chat' ? event.chat.turns[0]?.answers[0]?.calls[0] : undefined;
    return call?.state === 'asks' || call?.state === 'ended' ? call : undefined;
  });
  expect(state).toBe('asks');
  expect(made).toEqual([]);
  await inside.ask('allowChatCall', { ...of, call: id, isAllowed: true });
  await console.ended();
  expect(lastText(model)).toBe('paid');
});
