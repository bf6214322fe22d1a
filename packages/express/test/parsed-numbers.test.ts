import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { boot } from '../../core/test/support/booting.js';
import { withLiterals } from '../../core/test/support/exact-numbers.js';
import { call, modern, send, type Json, type WireRequest } from '../../http/test/support/wire.js';
import { mcpExpress } from '../src/index.js';

const seen: unknown[] = [];
let url: string;
let close: () => void;
beforeAll(async () => {
  const server = await boot({ services: [], rateLimit: false });
  server.tools.add({
    name: 'row',
    description: 'Reads a row.',
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
    handler: ({ id }: Json) => {
      seen.push(id);
      return String(id);
    },
  });
  const app = express();
  app.use(express.json());
  app.use(mcpExpress(server));
  const listener = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`;
  close = () => listener.close();
});
afterAll(() => close());

const ask = async ({ headers, body }: WireRequest) =>
  (await send(url, { headers, body: withLiterals(body), agent: false })).json;

test.each(['@9007199254740993', '@9007199254740994', '@-1234567890123456789', '@1e19'])(
  'where the application has parsed the body, %s is refused, because nobody knows what it was',
  async (id) => {
    const { isError, content } = (await ask(call('row', { id }))).result;
    expect([isError, content[0].text]).toEqual([
      true,
      expect.stringContaining('- id: the application has parsed the body'),
    ]);
    const { error } = await ask(modern('tools/list', { params: { other: id } }));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('has parsed the body') });
    expect(await ask(modern('tools/list', { id }))).toMatchObject({ id: null, error: { code: -32600 } });
    expect(seen).toEqual([]);
  },
);

test('where the application has parsed the body, other numbers are taken', async () => {
  for (const id of [5, '@9007199254740991', '@-9007199254740991']) await ask(call('row', { id }));
  expect(seen).toEqual([5, 9007199254740991, -9007199254740991]);
});
