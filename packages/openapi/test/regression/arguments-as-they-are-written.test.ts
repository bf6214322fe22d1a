import { createMcpServer, type McpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { withLiterals } from '../../../core/test/support/exact-numbers.js';
import { openApiTools } from '../../src/index';
import { RecordingApi } from '../support/recording-api';

const api = new RecordingApi();
let server: McpServer;
beforeAll(async () => {
  await api.open();
  server = await createMcpServer({
    name: 'any',
    version: '1.0.0',
    services: [],
    audit: false,
    logger: silentLogger,
  });
  await openApiTools(server, { spec, baseUrl: api.baseUrl, retries: 0 });
});
afterAll(async () => {
  await server.close();
  await api.close();
});

const long = { type: 'integer', format: 'int64' };
const parameter = (name: string, place: string, schema: object = long) => ({
  name,
  in: place,
  schema,
  ...(place === 'path' && { required: true }),
});
const body = {
  type: 'object',
  properties: {
    id: long,
    ids: { type: 'array', items: long },
    by: { type: 'object', additionalProperties: long },
    row: { $ref: '#/components/schemas/Row' },
    free: { type: 'object', additionalProperties: true },
    size: { type: 'integer', format: 'int32' },
    either: { oneOf: [long, { type: 'string' }] },
    from: { ...long, minimum: 1 },
    third: { ...long, multipleOf: 3 },
    none: { ...long, minimum: 5, maximum: 4 },
  },
};
const Row = { type: 'object', properties: { id: long, below: { $ref: '#/components/schemas/Row' } } };
const texts = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
const responses = { 200: { description: 'ok' } };
const spec = {
  openapi: '3.1.0',
  info: { title: 'Rows', version: '1' },
  components: { schemas: { Row } },
  paths: {
    '/rows/{id}': {
      get: {
        operationId: 'get',
        parameters: [parameter('id', 'path'), parameter('after', 'query'), parameter('x-id', 'header')],
        responses,
      },
    },
    '/named/{name}': {
      get: {
        operationId: 'named',
        parameters: [parameter('name', 'path', texts), parameter('q', 'query', { type: 'string' })],
        responses,
      },
    },
    '/rows': {
      post: {
        operationId: 'add',
        requestBody: { content: { 'application/json': { schema: body } } },
        responses,
      },
    },
  },
};

/** Calls a tool with numbers in place of the texts that begin with `@`. */
async function call(name: string, args: object): Promise<any> {
  const peer = { principal: undefined, ip: undefined, transport: 'memory' } as const;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'any', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const text = withLiterals({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args, _meta },
  });
  const answer = await new Promise<string>((resolve) => {
    server.protocol.connect(peer, resolve).receiveText(text);
  });
  const { result } = JSON.parse(answer);
  return { isError: result.isError === true, text: result.content[0]?.text ?? '' };
}

const ids = ['9007199254740993', '-9007199254740993', '1234567890123456789', '18446744073709551615'];

test.each(ids)('%s as a number reaches a path, a query and a header', async (id) => {
  expect(await call('get', { id: `@${id}`, after: `@${id}`, x_id: `@${id}` })).toMatchObject({
    isError: false,
  });
  const { url, headers } = api.requests.at(-1)!;
  expect([url, headers['x-id']]).toEqual([`/rows/${id}?after=${id}`, id]);
});

test.each(ids)('%s as a number reaches a body, in lists, records and rows below rows', async (id) => {
  const number = `@${id}`;
  const args = { id: number, ids: [1, number], by: { a: number }, row: { id: 1, below: { id: number } } };
  expect(await call('add', args)).toMatchObject({ isError: false });
  expect(api.requests.at(-1)!.body.toString()).toBe(withLiterals(args));
});

test.each([
  ['size', { size: '@9007199254740993' }],
  ['either', { either: '@9007199254740993' }],
  ['free.a', { free: { a: '@9007199254740993' } }],
  ['ids[0]', { ids: ['@1e400'] }],
  ['third', { third: '@9007199254740993' }],
  ['none', { none: '@9007199254740993' }],
])('a number that no integer of 64 bits is at "%s" is refused with its place', async (place, args) => {
  const before = api.requests.length;
  const { isError, text } = await call('add', args);
  expect(isError).toBe(true);
  expect(text).toContain(`- ${place}: `);
  expect(api.requests).toHaveLength(before);
});

test.each([
  { from: '0' },
  { from: '-9007199254740993' },
  { from: '@-9007199254740993' },
  { third: '9007199254740994' },
  { none: '5' },
])('limits hold for digits and for numbers: %j', async (args) => {
  const before = api.requests.length;
  expect(await call('add', args)).toMatchObject({ isError: true });
  expect(api.requests).toHaveLength(before);
});

test('a list of a thousand such numbers is read, as many as a message may have', async () => {
  const all = Array.from({ length: 1_000 }, () => '@9007199254740993');
  expect(await call('add', { ids: all })).toMatchObject({ isError: false });
  expect(JSON.parse(api.requests.at(-1)!.body.toString()).ids).toHaveLength(1_000);
});

test('half of a surrogate pair is the character that stands for one, but in a path it is refused', async () => {
  await call('named', { name: 'b\ufffd😀', q: 'a\ud83d' });
  expect(api.requests.at(-1)!.url).toBe('/named/b%EF%BF%BD%F0%9F%98%80?q=a%EF%BF%BD');
  const before = api.requests.length;
  for (const name of ['b\udc00', '\ud83d', ['a', 'b\ud83d']])
    expect(await call('named', { name })).toMatchObject({
      isError: true,
      text: 'GET /named/{name} cannot be called with this name: it has half of a character.',
    });
  expect(api.requests).toHaveLength(before);
});
