import { chatLimits } from '../../src/chat-limits.js';
import { calls, says, StubModel } from '../support/stub-model.js';
import { TestChat } from '../support/test-host.js';

const many = (name: string, args: unknown) =>
  calls(...Array.from({ length: 20_000 }, (_, id) => [name, args, `c${id}`] as const));

test.each([
  ['an unknown tool', many('nothing_known', {})],
  ['no tool', many('', {})],
  ['broken arguments', many('find_order', '{')],
  ['the same arguments', many('find_order', {})],
])('20,000 calls with %s in one answer end the turn, and are kept nowhere', async (_what, reply) => {
  const model = await StubModel.start(reply, says({ content: 'Hello.' }));
  const host = new TestChat(model);
  const turn = await host.send('Find it.');
  expect(turn.problem).toMatchObject({ code: 'TW_CHAT_LIMIT' });
  const [answer] = turn.answers;
  expect(answer!.calls).toHaveLength(chatLimits.calls + 1);
  expect(answer!.notes.at(-1)).toBe('19969 more calls of this answer were left out.');
  await host.send('Hello.');
  const { messages } = model.request(1).body;
  expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(chatLimits.calls + 1);
});

test('calls that cannot be made count beside those that can', async () => {
  const wrong = Array.from({ length: 20 }, (_, id) => ['nothing_known', {}, `w${id}`] as const);
  const right = Array.from({ length: 20 }, (_, id) => ['find_order', { id }, `r${id}`] as const);
  const host = new TestChat(await StubModel.start(calls(...wrong, ...right)));
  expect((await host.send('All.')).problem?.message).toMatch(/^The model has made 30 calls in this turn/);
  expect(host.made).toHaveLength(10);
});
