import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { contractOf } from '../../src/model/tool-contract';
import { planOperations } from '../../src/model/plan-operations';
import { readSpecification } from '../../src/read/read-specification';
import { compileImport } from '../support/compile-import';
import { RecordingApi } from '../support/recording-api';

const api = new RecordingApi();
beforeAll(() => api.open());
afterAll(() => api.close());

const text = { type: 'string' };
const long = { type: 'integer', format: 'int64' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const ofType = (type: string, schema: object = {}) => ({ content: { [type]: { schema } } });
const body = (schema: object, more: object = {}) => ({
  requestBody: { required: true, ...ofType('application/json', schema), ...more },
  responses: {},
});
const query = (name: string, schema: object = text) => ({ name, in: 'query', schema });
const head = { openapi: '3.1.0', info: { title: 'Any', version: '1' } };
const planOf = async (paths: object, version = '3.1.0') =>
  planOperations(await readSpecification({ ...head, openapi: version, paths }));

test('an integer of 64 bits beside members of any name is written as code that compiles', async () => {
  const opts = object(
    {
      size: { type: 'integer' },
      any: { oneOf: [long, { type: 'boolean' }] },
      list: { type: 'array', items: long },
    },
    { additionalProperties: true, required: ['size'] },
  );
  const post = { operationId: 'add', ...body(object({ opts })) };
  const { problems, files } = await compileImport({ ...head, paths: { '/a': { post } } });
  expect(problems).toBe('');
  expect([...files.values()].join('')).toContain('size: integer;');
}, 60_000);

test('what a long part requires may have 64 bits, and its code compiles', async () => {
  const field = (name: string) => [
    name,
    { ...text, description: 'What it is, in some more words. '.repeat(8) },
  ];
  const row = object(
    { ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => field(`f${index}`))), id: long },
    { required: ['id'] },
  );
  const other = object({ id: long, kind: { enum: ['b'] } }, { required: ['id', 'kind'] });
  const many = Array.from({ length: 9 }, (_, index) =>
    object({ id: long, [`m${index}`]: text }, { required: ['id'] }),
  );
  const whole = object({
    rows: { type: 'array', items: row },
    either: { anyOf: [row, other] },
    many: { oneOf: many },
  });
  const { problems, files } = await compileImport({
    ...head,
    paths: { '/a': { post: { operationId: 'add', ...body(whole) } } },
  });
  expect(problems).toBe('');
  expect([...files.values()].join('')).toMatch(/id: integer;\s+\[member: string\]: Json;/);
}, 60_000);

test('the places of a tuple have their words', async () => {
  const box = {
    type: 'array',
    description: 'Where it is.',
    items: false,
    prefixItems: [
      { type: 'number', description: 'West.' },
      { type: 'number', title: 'South' },
      { type: 'boolean' },
    ],
  };
  const plan = await planOf({ '/a': { post: { operationId: 'add', ...body(object({ box })) } } });
  expect(contractOf(plan.operations[0]!, plan).inputSchema.properties!['box']).toEqual({
    type: 'array',
    items: { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
    maxItems: 3,
    description: 'Where it is. In this order: West; South; boolean.',
  });
});

test('a GET whose body is required becomes no tool, and the report says why', async () => {
  const plan = await planOf({
    '/a': { get: { operationId: 'find', ...body({}) }, post: { operationId: 'add', ...body({}) } },
  });
  expect(plan.operations.map(({ toolName }) => toolName)).toEqual(['add']);
  expect(plan.skipped).toEqual([
    { operation: 'find', reason: 'its body is required, and no GET can be sent with one' },
  ]);
});

test('the style "cookie" of version 3.2 leaves out its operation alone', async () => {
  const parameters = [{ name: 'c', in: 'cookie', style: 'cookie', schema: text }];
  const get = (operationId: string) => ({ operationId, responses: {} });
  const plan = await planOf({ '/a': { get: { ...get('a'), parameters } }, '/b': { get: get('b') } }, '3.2.0');
  expect(plan.operations.map(({ toolName }) => toolName)).toEqual(['b']);
  expect(plan.skipped[0]!.reason).toContain('style "cookie"');
});

test('answers by a reference of a media type, and of items, are read in version 3.2', async () => {
  const row = object({ id: text });
  const paths = {
    '/a': {
      get: {
        operationId: 'getRow',
        responses: { 200: { content: { 'application/json': { $ref: '#/components/mediaTypes/Row' } } } },
      },
    },
    '/b': {
      get: {
        operationId: 'listRows',
        responses: { 200: { content: { 'application/jsonl': { itemSchema: row } } } },
      },
    },
  };
  const components = { mediaTypes: { Row: { schema: row } } };
  const plan = planOperations(await readSpecification({ ...head, openapi: '3.2.0', paths, components }));
  const schemas = plan.operations.map((each) => contractOf(each, plan).outputSchema!);
  expect(schemas.map(({ $defs }) => Object.values($defs!)[0]!.properties)).toEqual(
    [row, row].map((each) => (each as { properties?: object }).properties),
  );
  expect(schemas[1]!.type).toBe('array');
});

test('a part in another file refers to the main file', async () => {
  const folder = temporaryFolder();
  const write = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };
  write('part.json', { a: { post: body({ $ref: './main.json#/components/schemas/Local' }) } });
  const components = { schemas: { Local: object({ l: text }, { required: ['l'] }) } };
  const main = write('main.json', { ...head, paths: { '/a': { $ref: 'part.json#/a' } }, components });
  const plan = planOperations(await readSpecification(main));
  expect(contractOf(plan.operations[0]!, plan).inputSchema).toMatchObject({ required: ['l'] });
});

test('a file that an API answers with keeps its bytes, as base64', async () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 1, 128]);
  const operation = { responses: { 200: ofType('image/png', { type: 'string', format: 'binary' }) } };
  const { text: said } = await api.call(
    ['get', '/a'],
    operation,
    {},
    {
      headers: { 'content-type': 'image/png' },
      body: png,
    },
  );
  expect(Buffer.from(said, 'base64')).toEqual(png);
  const plan = planOperations(
    await readSpecification({
      ...head,
      paths: { '/a': { get: { operationId: 'getPicture', ...operation } } },
    }),
    {
      include: ['getPicture'],
    },
  );
  expect(plan.operations[0]!.description).toContain('base64');
});

test.each([
  [String.raw`^[\w\-\.\@]+$`, 'a@b', 'not allowed !!'],
  [String.raw`^[\w-.]+$`, 'a-.b', 'a b'],
])('the pattern %s counts, although it is none of Unicode', async (pattern, good, bad) => {
  const operation = { parameters: [query('q', { ...text, pattern })], responses: {} };
  expect((await api.call(['get', '/a'], operation, { q: good })).isError).toBe(false);
  expect((await api.call(['get', '/a'], operation, { q: bad })).isError).toBe(true);
});

test('a pattern that no server can check is named in the notes', async () => {
  const good = String.raw`^[\w.-]+$`;
  const patterns = ['(?i)^abc$', String.raw`^abc\Z`, '^(a+)+$', good, 'x'.repeat(200)];
  const parameters = patterns.map((pattern, index) => query(`p${index}`, { ...text, pattern }));
  const plan = await planOf({ '/a': { get: { operationId: 'find', parameters, responses: {} } } });
  expect(plan.notes).toEqual([
    expect.stringMatching(/^Left to the API: the patterns "\(\?i\)\^abc\$", .* and 1 more\. /),
  ]);
  const { inputSchema } = contractOf(plan.operations[0]!, plan);
  const kept = Object.values(inputSchema.properties!).flatMap((each) => each['pattern'] ?? []);
  expect(kept).toEqual([good]);
});

test('a multiple is a number alone, because no digits can be compared with it', async () => {
  const operation = { parameters: [query('i', { ...long, multipleOf: 10 })], responses: {} };
  expect((await api.call(['get', '/a'], operation, { i: 20 })).request.url).toBe('/a?i=20');
  for (const i of ['20', '15', 15])
    expect((await api.call(['get', '/a'], operation, { i })).isError).toBe(true);
});

test.each([
  [{ minimum: 1 }, '-1', '1'],
  [{ minimum: 0, exclusiveMinimum: true }, '0', '9007199254740993'],
  [{ exclusiveMinimum: 5 }, '5', '6'],
  [{ multipleOf: 1, minimum: 2 }, '1', '9007199254740993'],
])('digits keep the bounds of an integer: %j', async (bounds, bad, good) => {
  const operation = { parameters: [query('i', { ...long, ...bounds })], responses: {} };
  expect((await api.call(['get', '/a'], operation, { i: good })).request.url).toBe(`/a?i=${good}`);
  const { isError, text: said } = await api.call(['get', '/a'], operation, { i: bad });
  expect([isError, said]).toEqual([true, expect.stringContaining(bad)]);
});
