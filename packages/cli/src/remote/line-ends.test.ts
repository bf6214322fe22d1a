import { lineEnds } from './line-ends.js';

test.each([
  [['a\rb\r', 'c\r', '\r'], 'a\nb\nc\n\n'],
  [['a\r', '\nb\r\n', '\n'], 'a\nb\n\n'],
  [['a\r', '', '\nb'], 'a\nb'],
  [['a\n\r', '\r\n'], 'a\n\n\n'],
])('%j has one line feed for each end of a line', (parts, whole) => {
  expect(parts.map(lineEnds()).join('')).toBe(whole);
});
