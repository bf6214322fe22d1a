import { loadCounter } from '../src/contract/tokens/count-tokens.js';

test('a word without end is counted in parts, because its time grows with the square of its length', async () => {
  const count = await loadCounter();
  const word = 'strawberry'.repeat(10_000);
  const parts = word.match(/.{1,256}/g)!;
  expect(count(word)).toBe(parts.reduce((sum, part) => sum + count(part), 0));
});

test.each([
  ['a text', 'Find the notes of a shelf, e.g. old ones.\n\n日本語 and 12345 of them.'],
  [
    'JSON',
    JSON.stringify({ type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } }),
  ],
])('%s is counted as it is', async (_, text) => {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  expect((await loadCounter())(text.repeat(40))).toBe(countTokens(text.repeat(40)));
});
