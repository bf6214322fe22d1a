import { readBase64 } from './read-base64.js';

test.each([
  ['', ''],
  ['aGk=', 'hi'],
  ['aGk', 'hi'],
  ['aGVs\r\nbG8=\n', 'hello'],
  ['_-8', Buffer.from([0xff, 0xef]).toString('latin1')],
  ['/+8=', Buffer.from([0xff, 0xef]).toString('latin1')],
])('%j is base64', (text, bytes) => {
  expect(readBase64(text)?.toString('latin1')).toBe(bytes);
});

test.each([
  'hello',
  'hello world, this is text!',
  'two words',
  '{x}',
  'a',
  '=',
  '====',
  'aGk==',
  'aGk=aGk=',
  'aG k=!',
  'data:image/png;base64,aGk=',
  'äöü=',
])('%j is not base64', (text) => {
  expect(readBase64(text)).toBeUndefined();
});

test('each length of bytes comes back', () => {
  for (let length = 0; length < 70; length += 1) {
    const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 37) % 256));
    for (const form of ['base64', 'base64url'] as const)
      expect(readBase64(bytes.toString(form))).toEqual(bytes);
  }
});
