import { hasDoubledNames } from './doubled-names.js';

test.each([
  ['{"a":1,"a":2}'],
  ['{"a":1,"\\u0061":2}'],
  ['{"__proto__":1,"__proto__":2}'],
  ['{"x":[{"y":"a","y":"b"}]}'],
  ['[[{"a":{"b":1,"b":1}}]]'],
  ['\ufeff{"a":1}'],
])('%s is read in two ways', (text) => expect(hasDoubledNames(text)).toBe(true));

test.each([
  ['{}'],
  ['"a:b"'],
  ['{"a":{"a":{"a":1}}}'],
  ['{"a":"\\"b\\":1,\\"b\\":2","c:":[":","\\\\"]}'],
  ['[{"a":1},{"a":1}]'],
  ['{"__proto__":{"a":1},"":2}'],
])('%s does not', (text) => expect(hasDoubledNames(text)).toBe(false));

test('thousands of lists in lists are no problem', () => {
  const depth = 4_500;
  expect(hasDoubledNames(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)).toBe(false);
});
