import { calls, says } from '../../../chat/test/support/stub-model.js';
import { consoleWith, key, lastText } from '../support/chat-console.js';
import { smallServer } from '../support/small-server.js';

test('a tool that returns the key of the model shows it neither to the page nor to the model', async () => {
  const server = await smallServer();
  server.tools.add({
    name: 'environment',
    annotations: { readOnlyHint: true },
    handler: () => `TOOLWRIGHT_CHAT_KEY=${key}`,
  });
  const console = await consoleWith(server, calls(['environment', {}]), says({ content: 'Done.' }));
  const { inside, of, events } = console;
  await inside.ask('sendToChat', { ...of, text: 'What is set?' });
  const chat = await console.ended();
  expect(lastText(console.model)).toBe('TOOLWRIGHT_CHAT_KEY=‹key›');
  const told = [
    events,
    chat,
    await inside.ask('ownCalls', {}),
    await inside.ask('casesOfChat', { ...of, turn: 1 }),
  ];
  expect(JSON.stringify(told)).toContain('TOOLWRIGHT_CHAT_KEY=‹key›');
  expect(JSON.stringify(told)).not.toContain('canary');
});
