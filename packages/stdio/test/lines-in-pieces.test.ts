import { LineReader } from '../src/line-reader.js';

const MOST = 12;

/** All that a reader says of these bytes, when they come in pieces of this length. */
function read(bytes: Buffer, length: number): string[] {
  const said: string[] = [];
  const reader = new LineReader(MOST, {
    line: (text) => void said.push(text),
    failure: (reason) => void said.push(`failure: ${reason}`),
  });
  for (let at = 0; at < bytes.length; at += length) reader.push(bytes.subarray(at, at + length));
  reader.end();
  return said;
}

test.each([
  ['several lines', Buffer.from('one\ntwo\nthree\n'), ['one', 'two', 'three']],
  ['ends of Windows and empty lines', Buffer.from('one\r\n\r\n  \n\ntwo\r\n'), ['one', 'two']],
  ['a last line without an end', Buffer.from('one\ntwo'), ['one', 'two']],
  ['characters of several bytes', Buffer.from('日本\n😀é\nß'), ['日本', '😀é', 'ß']],
  [
    'a line that is too long',
    Buffer.from(`one\n${'x'.repeat(MOST + 1)}\ntwo\n`),
    ['one', `failure: The line is longer than ${MOST} bytes.`, 'two'],
  ],
  [
    'a line that is not UTF-8',
    Buffer.concat([Buffer.from('one\n'), Buffer.from([0xff, 0xfe]), Buffer.from('\ntwo\n')]),
    ['one', 'failure: The line is not UTF-8.', 'two'],
  ],
])('%s are the same however they come in', (_, bytes, expected) => {
  for (let length = 1; length <= bytes.length; length++) expect(read(bytes, length)).toEqual(expected);
});
