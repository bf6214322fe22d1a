import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { ApiClient, openApiTools } from '../src/index';
import { compileImport } from './support/compile-import';
import { RecordingApi } from './support/recording-api';

const api = new RecordingApi();
beforeAll(() => api.open());
afterAll(() => api.close());

/** Ids of public reports: a double holds none of them. */
const [ID, OTHER] = ['1610521604143693812', '-9007199254740993'];

const [text, whole, long] = [{ type: 'string' }, { type: 'integer' }, { type: 'integer', format: 'int64' }];
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const list = (items: object) => ({ type: 'array', items });
const answers = (schema: object) => ({
  responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
});
const parameter = (name: string, place: string, schema: object) => ({
  name,
  in: place,
  required: true,
  schema,
});
const json = (schema: object) => ({
  requestBody: { required: true, content: { 'application/json': { schema } } },
});

test.each([ID, OTHER, '7'])('the digits %s reach a path, a query and a header', async (digits) => {
  const parameters = [
    parameter('id', 'path', whole),
    parameter('owner', 'query', long),
    parameter('others', 'query', list(long)),
    parameter('x-id', 'header', { ...long, minimum: -1e16 }),
  ];
  const args = { id: digits, owner: digits, others: [digits, 5], x_id: digits };
  const { request, text: said } = await api.call(['get', '/a/{id}'], { parameters }, args);
  expect(said).toBe('');
  expect(request.url).toBe(`/a/${digits}?owner=${digits}&others=${digits}&others=5`);
  expect(request.headers['x-id']).toBe(digits);
});

test.each([2 ** 53, 2 ** 60, -(2 ** 63)])(
  'a number that a double holds has all its digits: %d',
  async (id) => {
    const parameters = [
      parameter('id', 'path', whole),
      parameter('owner', 'query', long),
      parameter('x-id', 'header', long),
    ];
    const args = { id, owner: id, x_id: id, free: { a: id, text: 'a\ud83d' } };
    const operation = {
      parameters,
      ...json(object({ free: { type: 'object', additionalProperties: true } })),
    };
    const { request, text: said } = await api.call(['post', '/a/{id}'], operation, args);
    expect(said).toBe('');
    const digits = String(BigInt(id));
    expect(request.url).toBe(`/a/${digits}?owner=${digits}`);
    expect(request.headers['x-id']).toBe(digits);
    expect(request.body.toString()).toBe(`{"free":{"a":${digits},"text":"a\ufffd"}}`);
  },
);

test.each(['0', '-5', '101', 0, 101])('bounds hold for digits, too: %j is refused', async (id) => {
  const parameters = [parameter('id', 'path', { ...long, minimum: 1, exclusiveMaximum: 100.5 + 2 ** 53 })];
  const bounded = [parameter('id', 'path', { anyOf: [{ ...long, minimum: 1 }] })];
  const before = api.requests.length;
  for (const each of [parameters, bounded])
    if (Number(id) < 1)
      await expect(api.call(['get', '/a/{id}'], { parameters: each }, { id })).resolves.toMatchObject({
        isError: true,
      });
  expect(api.requests).toHaveLength(before);
});

test('a default and a choice that the reader of the specification has rounded are not sent', async () => {
  const since = { name: 'since', in: 'query', schema: { ...long, default: Number(ID) } };
  const kind = { name: 'kind', in: 'query', schema: { ...long, enum: [Number(ID), 5] } };
  const only = parameter('only', 'query', { ...long, enum: [Number(ID)] });
  const parameters = [since, kind, only];
  const { request } = await api.call(['get', '/a'], { parameters }, { kind: ID, only: ID });
  expect(request.url).toBe(`/a?kind=${ID}&only=${ID}`);
});

test('a body has the digits as numbers, and texts of digits stay texts', async () => {
  const part = object({ ids: list(whole), code: text, size: { type: 'integer', nullable: true } });
  const kinds = [
    object({ kind: { type: 'string', enum: ['a'] }, value: whole }, { required: ['kind'] }),
    object({ kind: { type: 'string', enum: ['b'] }, value: text }, { required: ['kind'] }),
  ];
  const schema = object({
    part,
    counts: { type: 'object', additionalProperties: long },
    many: list({ anyOf: kinds }),
  });
  const args = {
    part: { ids: [ID, 5, '6'], code: ID, size: OTHER },
    counts: { a: ID },
    many: [
      { kind: 'a', value: ID },
      { kind: 'b', value: ID },
    ],
  };
  const { request, text: said } = await api.call(['post', '/a'], json(schema), args);
  expect([said, request.body.toString()]).toEqual([
    '',
    `{"part":{"ids":[${ID},5,6],"code":"${ID}","size":${OTHER}},"counts":{"a":${ID}},` +
      `"many":[{"kind":"a","value":${ID}},{"kind":"b","value":"${ID}"}]}`,
  ]);
});

test('where a text is accepted beside an integer, digits stay a text', async () => {
  const schema = object({ one: { oneOf: [whole, text] }, other: { type: ['integer', 'string'] } });
  const { request } = await api.call(['post', '/a'], json(schema), { one: ID, other: ID });
  expect(request.body.toString()).toBe(`{"one":"${ID}","other":"${ID}"}`);
});

test.each(['12x', '1.5', '', '../9', `${ID} `])('%j is refused, because it is no integer', async (given) => {
  const before = api.requests.length;
  const parameters = [parameter('id', 'path', whole)];
  expect(
    await api.call(['get', '/a/{id}'], { parameters }, { id: given }).catch(() => ({ isError: true })),
  ).toMatchObject({
    isError: true,
  });
  expect(api.requests).toHaveLength(before);
});

test('an answer has the digits as texts where its schema speaks of integers or of nothing', async () => {
  const schema = object({
    id: whole,
    ids: list(long),
    any: {},
    code: text,
    count: { type: 'integer', format: 'int32' },
  });
  const body = `{"id":${ID},"ids":[${OTHER},5],"any":{"deep":${ID}},"code":"${ID}","count":3}`;
  const { structured } = await api.call(['get', '/a'], answers(schema), {}, { body });
  expect(structured).toEqual({ id: ID, ids: [OTHER, 5], any: { deep: ID }, code: ID, count: 3 });
});

test.each([
  ['int32', { type: 'integer', format: 'int32' }],
  ['a bound', { type: 'integer', maximum: 100 }],
  ['a number', { type: 'number' }],
])('a finished call is not refused for a long integer in place of %s', async (_name, schema) => {
  const { isError, text: said } = await api.call(
    ['get', '/a'],
    answers(object({ id: schema })),
    {},
    { body: `{"id":${ID}}` },
  );
  expect([isError, said]).toEqual([false, `{"id":${ID}}`]);
});

test('lines of JSON, and JSON under another name, keep digits, too', async () => {
  const lines = {
    responses: {
      200: { description: 'ok', content: { 'application/x-ndjson': { schema: object({ id: whole }) } } },
    },
  };
  const headers = { 'content-type': 'application/x-ndjson' };
  const many = await api.call(['get', '/a'], lines, {}, { headers, body: `{"id":${ID}}\n{"id":${OTHER}}\n` });
  expect(many.structured).toEqual([{ id: ID }, { id: OTHER }]);
  const plain = { headers: { 'content-type': 'text/plain' }, body: `{"id":${ID}}` };
  expect(await api.call(['get', '/a'], answers(object({ id: whole })), {}, plain)).toMatchObject({
    structured: { id: ID },
  });
});

test('pages keep digits, and a cursor of digits leads on', async () => {
  const operation = {
    parameters: [{ name: 'cursor', in: 'query', schema: whole }],
    ...answers(object({ rows: list(object({ id: whole })), next_cursor: whole })),
  };
  const pages = [`{"rows":[{"id":${ID}}],"next_cursor":${ID}}`, `{"rows":[{"id":2}],"next_cursor":null}`];
  const { structured } = await api.call(['get', '/a'], operation, {}, ...pages.map((body) => ({ body })));
  expect(structured).toEqual([{ id: ID }, { id: 2 }]);
  expect(api.requests.at(-1)!.url).toBe(`/a?cursor=${ID}`);
});

test('what is listed has a choice of an integer and of its digits, and bounded integers stay as they are', async () => {
  const schemas = {
    id: { ...whole, minimum: 1 },
    long: { ...long, maximum: 2 ** 63 },
    short: { type: 'integer', format: 'int32' },
    few: { type: 'integer', maximum: 100 },
    size: { type: 'integer', default: 20 },
  };
  const parameters = Object.entries(schemas).map(([name, schema]) => parameter(name, 'query', schema));
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Any', version: '1' },
    paths: {
      '/a': { get: { operationId: 'get', parameters, ...answers(object({ id: whole, few: schemas.few })) } },
    },
  };
  const server = await createMcpServer({ name: 'any', version: '1.0.0', services: [], audit: false });
  await openApiTools(server, { spec, baseUrl: api.baseUrl });
  const [tool] = await (await connect(server)).tools();
  await server.close();
  const digits = { type: 'string', pattern: String.raw`^-?\d+$` };
  expect(tool!.inputSchema.properties).toMatchObject({
    id: {
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', pattern: String.raw`^(?:[1-9]\d*)$` },
      ],
    },
    long: { anyOf: [{ type: 'integer' }, digits] },
    short: { type: 'integer' },
    few: { type: 'integer', maximum: 100 },
    size: { type: 'integer', default: 20 },
  });
  expect(tool!.outputSchema!['properties']).toEqual({
    id: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    few: { type: 'integer' },
  });
});

test('an import takes a bigint, answers with digits, and compiles', async () => {
  const Row = object(
    { id: whole, parent: { type: 'integer', nullable: true }, ids: list(long) },
    { required: ['id'] },
  );
  const row = { $ref: '#/components/schemas/Row' };
  const { files, problems } = await compileImport({
    openapi: '3.0.3',
    info: { title: 'Rows', version: '1' },
    components: { schemas: { Row } },
    paths: {
      '/rows/{id}': {
        get: {
          operationId: 'getRow',
          parameters: [parameter('id', 'path', { ...whole, minimum: 1 })],
          ...answers(row),
        },
      },
      '/rows': { post: { operationId: 'addRow', ...json(row), ...answers(row) } },
    },
  });
  expect(problems).toBe('');
  const all = [...files.values()].join('\n');
  expect(all).toContain('/** @minimum 1 */ id: bigint, ctx');
  expect(all).toMatch(/RowInput \{\s+id: bigint;\s+parent\?: bigint \| null;\s+ids\?: bigint\[\];/);
  expect(all).toMatch(
    /Row \{\s+id\?: integer \| string;\s+parent\?: integer \| string;\s+ids\?: \(integer \| string\)\[\];/,
  );
});

test('a client writes a bigint as a number, whatever is beside it', async () => {
  const client = new ApiClient({ baseUrl: api.baseUrl });
  const body = { id: BigInt(ID), text: ID, list: [1n, { deep: BigInt(OTHER) }], bytes: Buffer.from('a') };
  await client.send({ method: 'POST', path: '/a', query: { id: BigInt(ID) }, body }, {
    signal: new AbortController().signal,
  } as never);
  const { url, body: sent } = api.requests.at(-1)!;
  expect(url).toBe(`/a?id=${ID}`);
  expect(sent.toString()).toBe(`{"id":${ID},"text":"${ID}","list":[1,{"deep":${OTHER}}],"bytes":"YQ=="}`);
});

test('defaults, values and bounds that a double has rounded count for nothing', async () => {
  const large = 2 ** 63;
  const properties = {
    quota: { ...long, default: large, maximum: large },
    kind: { ...long, enum: [large, 2 ** 53, 1] },
    plain: { type: 'integer', default: large },
    one: { ...long, enum: [large] },
  };
  const args = { quota: ID, kind: OTHER, plain: ID, one: ID };
  const operation = { ...json(object(properties)), ...answers(whole) };
  const { request } = await api.call(['post', '/a'], operation, args);
  expect(request.body.toString()).toBe(`{"quota":${ID},"kind":${OTHER},"plain":${ID},"one":${ID}}`);
  const none = await api.call(['post', '/a'], operation, {});
  expect(none.request.body.toString()).toBe('{}');
});
