import { KeptWords } from './kept-words.js';

test('words of strangers take bounded memory: few of them are kept, and no long one', () => {
  let asked = 0;
  const words = new KeptWords((word) => {
    asked++;
    return word.length;
  });
  for (let at = 0; at < 120_000; at++) words.of(`word${at}`);
  expect(words.size).toBeLessThanOrEqual(50_000);
  const before = words.size;
  for (let at = 0; at < 100; at++) expect(words.of('x'.repeat(900 + at))).toBe(900 + at);
  expect(words.size).toBe(before);
  asked = 0;
  expect([words.of('order'), words.of('order'), asked]).toEqual([5, 5, 1]);
});
