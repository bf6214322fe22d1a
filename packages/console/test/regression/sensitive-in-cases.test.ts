import { calls, says } from '../../../chat/test/support/stub-model.js';
import { consoleWith } from '../support/chat-console.js';
import { smallServer } from '../support/small-server.js';

test('a case has no value that is marked sensitive, and says that one was hidden', async () => {
  const server = await smallServer();
  const text = { type: 'string' } as const;
  server.tools.add({
    name: 'sign_in',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { user: text, password: { ...text, writeOnly: true } } },
    outputSchema: { type: 'object', properties: { token: { ...text, 'x-sensitive': true } as never } },
    handler: () => ({ token: 'token-canary-1' }),
  });
  const args = { user: 'ada', password: 'word-canary-2', pasword: 'word-canary-3' };
  const console = await consoleWith(
    server,
    calls(['sign_in', args]),
    calls(['sign_in', { user: 'ada', password: 'word-canary-2' }, 'b']),
    says({ content: 'Signed in.' }),
  );
  const { inside, of } = console;
  await inside.ask('sendToChat', { ...of, text: 'I am ada, with word-canary-2.' });
  const chat = await console.ended();
  expect(chat.turns[0]!.answers).toHaveLength(3);
  const { cases } = await inside.ask('casesOfChat', { ...of, turn: 1 });
  expect(cases[1]).toMatchObject({
    name: 'I am ada, with [sensitive]. (2)',
    note: expect.stringMatching(/^Values that are marked sensitive are \[sensitive\] here/) as string,
    request: [
      { role: 'user', text: 'I am ada, with [sensitive].' },
      {
        role: 'assistant',
        calls: [
          { tool: 'sign_in', arguments: { user: 'ada', password: '[sensitive]', pasword: '[sensitive]' } },
        ],
      },
      { role: 'tool' },
    ],
    expect: [{ tool: 'sign_in', arguments: { user: 'ada', password: '[sensitive]' } }],
  });
  // The name of a case is cut, and half a value would be left.
  await inside.ask('sendToChat', { ...of, text: `${'x'.repeat(70)} word-canary-2` });
  await console.ended(2);
  const more = await inside.ask('casesOfChat', { ...of, turn: 2 });
  expect(more.cases[0]).toMatchObject({ name: `${'x'.repeat(70)} [sensitiv…` });
  expect(JSON.stringify([cases, more])).not.toContain('canary');
});
