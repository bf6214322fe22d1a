import fc from 'fast-check';
import { toUnicodePattern } from './parse-pattern.js';

test.each([
  ['a]', 'a\\]'],
  ['a{b}', 'a\\{b\\}'],
  ['a{2}b{3,}c{4,5}', 'a{2}b{3,}c{4,5}'],
  ['\\"\\@\\-', '"@-'],
  ['[\\-\\@\\]]', '[\\-@\\]]'],
  ['[\\w-.]', '[\\w\\-.]'],
  ['[.-\\d]', '[.\\-\\d]'],
  ['[a-z]', '[a-z]'],
  ['[[{}]]', '[[{}]\\]'],
  ['\\/\\.', '\\/\\.'],
])('%s is written as %s', (source, written) => {
  expect(toUnicodePattern(source)).toBe(written);
});

test.each(['(', '\\p{L}]', '(?<a>x)\\k<a>]', '\\a]', '\\8]'])('%s has no such form', (source) => {
  expect(toUnicodePattern(source)).toBeUndefined();
});

test('the written pattern matches the same texts', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    '-',
    ']',
    '{',
    '}',
    '{1}',
    '{1,2}',
    '\\-',
    '\\]',
    '\\@',
    '@',
    '\\w',
    '[',
    '[^',
    '|',
    '(a)',
    '.',
  );
  const pattern = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  const text = fc.string({ unit: fc.constantFrom(...'ab-]{}1,@\\['), maxLength: 6 });
  let written = 0;
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 10 }), (source, texts) => {
      const unicode = toUnicodePattern(source);
      if (unicode === undefined) return;
      written++;
      const [before, after] = [new RegExp(`^(?:${source})$`), new RegExp(`^(?:${unicode})$`, 'u')];
      for (const each of texts) expect([each, after.test(each)]).toEqual([each, before.test(each)]);
    }),
    { numRuns: 3_000 },
  );
  expect(written).toBeGreaterThan(500);
});
