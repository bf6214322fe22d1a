import { oneLine } from './one-line.js';

test('JSON stays what it is, without a character that some readers take for the end of a line', () => {
  const value = { text: 'a\u2028b\u2029c\u0085d', 'na\u2028me': ['\\u2028', '\u2027', '\n'] };
  const text = oneLine(JSON.stringify(value));
  expect(text).not.toMatch(/[\u0085\u2028\u2029]/);
  expect(JSON.parse(text)).toEqual(value);
});

test('a text without one is the same text', () => {
  const text = JSON.stringify({ text: 'Grüße 😀' });
  expect(oneLine(text)).toBe(text);
});
