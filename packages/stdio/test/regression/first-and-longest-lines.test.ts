import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createMcpServer } from '@toolwright/core';
import { serveStdio } from '../../src/index.js';
import { LineReader } from '../../src/line-reader.js';

const MOST = 200;
const MARK = '\uFEFF';
const long = 'ä"\\{[,:'.repeat(MOST);

/** What a reader says of this text, when it comes in pieces of this length. */
function read(text: string, length: number): unknown[] {
  const said: unknown[] = [];
  const reader = new LineReader(MOST, {
    line: (line) => void said.push(line),
    failure: (_reason, id) => void said.push({ id }),
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) reader.push(bytes.subarray(at, at + length));
  reader.end();
  return said;
}

test.each([
  ['at the start of the stream is skipped', `${MARK}{"a":1}\n{"b":2}\n`, ['{"a":1}', '{"b":2}']],
  ['is skipped once', `${MARK}${MARK}{}\n`, [`${MARK}{}`]],
  ['before an empty line is skipped', `${MARK}\r\n{"a":1}\r\n`, ['{"a":1}']],
  ['of a later line stays', `{"a":1}\n${MARK}{"b":2}\n`, ['{"a":1}', `${MARK}{"b":2}`]],
])('a byte order mark %s', (_, text, expected) => {
  for (let length = 1; length <= text.length + 4; length++) expect(read(text, length)).toEqual(expected);
});

const request = (id: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { id: 9, text: long },
});
const last = ({ id, ...rest }: ReturnType<typeof request>) => ({ ...rest, id });

test.each([
  ['first', request(7), 7],
  ['last', last(request('sëven')), 'sëven'],
  ['with characters that are written in another way', request('a"\\\n€'), 'a"\\\n€'],
  ['that is negative', last(request(-3)), -3],
  [
    'of a notification',
    { jsonrpc: '2.0', method: 'notifications/x', params: { id: 9, text: long } },
    undefined,
  ],
  ['of an answer', { jsonrpc: '2.0', id: 7, result: { method: 'x', text: long } }, undefined],
  ['that is no id', request({ id: 1 }), undefined],
  ['with a fraction', request(1.5), undefined],
  ['that is far too long', request(long), undefined],
  ['in a batch', [request(1), request(2)], undefined],
])('a line that is too long is refused with its id, which is found: %s', (_, message, id) => {
  const text = `${JSON.stringify(message)}\n{"next":1}\n`;
  for (const length of [1, 3, 64, 10_000]) expect(read(text, length)).toEqual([{ id }, '{"next":1}']);
});

test.each([
  ['a number that a double would round', '{"method":"x","id":9007199254740993,"params":"', undefined],
  ['a mark and a space before it', `${MARK} {"method":"x","id":1,"params":"`, 1],
  ['a name that is written in another way', '{"method":"x","\\u0069d" : 1 ,"params":"', 1],
  ['no JSON', 'id: 1, method: 2 "', undefined],
  ['a bracket too many', '}}{"method":"x","id":1,"params":"', undefined],
])('of a line that is too long, with %s', (_, start, id) => {
  const text = `${start}${'x'.repeat(MOST)}"}\n`;
  for (const length of [1, 10_000]) expect(read(text, length)).toEqual([{ id }]);
});

test('the client gets the refusal of the request that was too long', async () => {
  const server = await createMcpServer({ name: 'fixture', version: '1', services: [] });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { closed } = await serveStdio(server, { input, output, maxLineBytes: MOST });
  input.end(`${MARK}${JSON.stringify(last(request(7)))}\n`);
  const [line] = (await once(output, 'data')) as [Buffer];
  const message = `The line is longer than ${MOST} bytes.`;
  expect(JSON.parse(line.toString())).toEqual({ jsonrpc: '2.0', id: 7, error: { code: -32600, message } });
  await closed;
});
