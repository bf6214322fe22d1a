import { says, calls, StubModel } from '../support/stub-model.js';
import { TestChat } from '../support/test-host.js';

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const body = (content: string) => `{"choices":[{"message":{"role":"assistant","content":${content}}}]}`;

test.each([
  ['an answer', deep(100_000)],
  ['a content', body(deep(100_000))],
  ['an error', `{"error":{"raw":${deep(100_000)}}}`],
  ['a stream', `data: ${body(deep(100_000))}\n\n`],
])('%s that is deeper than the stack is an answer that nobody reads', async (_what, raw) => {
  const turn = await new TestChat(await StubModel.start({ raw })).send('Hello.');
  expect(turn.problem).toMatchObject({
    code: 'TW_CHAT_ANSWER',
    message: 'The answer of the model is nested more than 100 levels deep.',
  });
});

test('arguments that are too deep are no call, and the model reads why', async () => {
  const model = await StubModel.start(
    calls(['find_order', `{"id":${deep(100_000)}}`]),
    says({ content: 'I give up.' }),
  );
  const host = new TestChat(model);
  const turn = await host.send('Find it.');
  expect(host.made).toEqual([]);
  expect(turn.answers[0]!.calls[0]!.problem).toMatch(/^The arguments of find_order are not a JSON object/);
  expect(turn.problem).toBeUndefined();
});
