import { compileImport } from './support/compile-import';
import { partsOf, RecordingApi } from './support/recording-api';

const api = new RecordingApi();
beforeAll(() => api.open());
afterAll(() => api.close());

const text = { type: 'string' };
const binary = { type: 'string', format: 'binary' };
const bytes = Buffer.from([0, 255, 13, 10, 200]);
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const body = (type: string, schema: object, more: object = {}) => ({
  requestBody: { required: true, content: { [type]: { schema, ...more } } },
});
const answers = (type: string, schema: object) => ({
  responses: { 200: { description: 'ok', content: { [type]: { schema } } } },
});
const post = ['post', '/things'] as const;
const get = ['get', '/things'] as const;

test('a part of JSON has its type and no file name, and a file has both', async () => {
  const schema = object({
    meta: object({ a: text }),
    file: binary,
    name: text,
    tags: { type: 'array', items: text },
  });
  const args = { meta: { a: 'ü' }, file: bytes.toString('base64'), name: 'n', tags: ['x', 'y'] };
  const { request } = await api.call(post, body('multipart/form-data', schema), args);
  const parts = partsOf(request);
  expect(parts.map(({ head }) => head.split('\r\n'))).toEqual([
    ['content-disposition: form-data; name="meta"', 'content-type: application/json'],
    [
      'content-disposition: form-data; name="file"; filename="file"',
      'content-type: application/octet-stream',
    ],
    ...['name', 'tags', 'tags'].map((name) => [`content-disposition: form-data; name="${name}"`]),
  ]);
  expect(Buffer.from(parts[0]!.content, 'latin1').toString()).toBe('{"a":"ü"}');
  expect(Buffer.from(parts[1]!.content, 'latin1')).toEqual(bytes);
  expect(parts.slice(2).map(({ content }) => content)).toEqual(['n', 'x', 'y']);
});

test('the encoding of a part says its type, and a list of one JSON part stays one', async () => {
  const schema = object({ image: binary, ids: { type: 'array', items: { type: 'integer' } }, note: text });
  const encoding = {
    image: { contentType: 'image/*, image/png' },
    ids: { contentType: 'application/json; charset=utf-8' },
    note: { contentType: 'text/markdown' },
  };
  const operation = body('multipart/form-data', schema, { encoding });
  const args = { image: bytes.toString('base64'), ids: [1, 2], note: '# a' };
  const parts = partsOf((await api.call(post, operation, args)).request);
  expect(parts.map(({ head }) => head.split('\r\n')[1])).toEqual([
    'content-type: image/png',
    'content-type: application/json; charset=utf-8',
    'content-type: text/markdown',
  ]);
  expect(parts[1]!.content).toBe('[1,2]');
});

test('another kind of multipart is named as the specification names it', async () => {
  const { request } = await api.call(post, body('Multipart/Related', object({ a: text })), { a: 'x' });
  expect(request.headers['content-type']).toMatch(/^Multipart\/Related; boundary=/);
});

test('written code says the types of parts and of bodies, and compiles', async () => {
  const schema = object({ meta: object({ a: text }), file: binary });
  const of = (operation: object) => ({ post: { responses: {}, ...operation } });
  const { files, problems } = await compileImport({
    openapi: '3.1.0',
    info: { title: 'Any', version: '1' },
    paths: {
      '/parts': of(
        body('multipart/form-data', schema, { encoding: { meta: { contentType: 'application/xml' } } }),
      ),
      '/related': of(body('multipart/related', schema)),
      '/typed': of(body('application/vnd.api+json; version=2', schema)),
      '/lists': {
        get: {
          parameters: [
            {
              name: 'ids',
              in: 'query',
              allowReserved: true,
              explode: false,
              schema: { type: 'array', items: text },
            },
          ],
          responses: {},
        },
      },
      '/v1/{name=projects/*}': { get: { responses: {} } },
    },
  });
  expect(problems).toBe('');
  const code = [...files.values()].join('\n');
  expect(code).toContain("parts: { meta: 'application/xml' }");
  expect(code).toContain("contentType: 'multipart/related'");
  expect(code).toContain("contentType: 'application/vnd.api+json; version=2'");
  expect(code).toContain('query: { ids: reserved(commaSeparated(ids)) }');
  expect(code).toContain("path: '/v1/{name=projects/*}', params: { name }");
});

test('bytes inside of JSON are base64, also where written code has bytes', async () => {
  const { jsonOf } = await import('../src/run/write-value.js');
  expect(jsonOf({ file: bytes, more: [new Uint8Array([104])], day: new Date(0) })).toBe(
    `{"file":"${bytes.toString('base64')}","more":["aA=="],"day":"1970-01-01T00:00:00.000Z"}`,
  );
  const { request } = await api.call(post, body('application/json', object({ file: binary })), {
    file: 'aGk=',
  });
  expect(JSON.parse(request.body.toString())).toEqual({ file: 'aGk=' });
});

test.each([
  ['application/*+json', 'application/json'],
  ['application/*', 'application/json'],
  ['*/*', 'application/json'],
  ['Application/JSON', 'Application/JSON'],
  ['application/json; charset=utf-8', 'application/json'],
  ['application/json;odata.metadata=minimal', 'application/json;odata.metadata=minimal'],
  ['application/vnd.api+json; version=2', 'application/vnd.api+json; version=2'],
])('a body of %s is JSON, sent as %s', async (type, sent) => {
  const { request } = await api.call(post, body(type, object({ a: text })), { a: 'x' });
  expect(JSON.parse(request.body.toString())).toEqual({ a: 'x' });
  expect(request.headers['content-type']!.toLowerCase()).toBe(sent.toLowerCase());
});

test.each([
  ['Text/Plain; charset=utf-8', text, 'a "b"', 'text/plain', 'a "b"'],
  ['text/*', text, 'a', 'text/plain', 'a'],
  ['image/*', binary, 'aGk=', 'application/octet-stream', 'hi'],
  [
    'APPLICATION/X-WWW-FORM-URLENCODED',
    object({ body: text }),
    'a b',
    'application/x-www-form-urlencoded',
    'body=a%20b',
  ],
  ['application/x-ndjson', text, '{"a":1}\n{"a":2}', 'application/x-ndjson', '{"a":1}\n{"a":2}'],
])('a body of %s is sent as it is meant', async (type, schema, value, sent, content) => {
  const { request } = await api.call(post, body(type, schema), { body: value });
  expect(request.headers['content-type']!.toLowerCase()).toBe(sent);
  expect(request.body.toString()).toBe(content);
});

const parameter = (name: string, more: object) => ({
  parameters: [{ name, in: 'query', schema: text, ...more }],
});
const ids = { type: 'array', items: text };

test.each([
  ['text/plain', { schema: undefined, content: { 'text/plain': { schema: text } } }, 'a b', '?q=a%20b'],
  ['JSON', { schema: undefined, content: { 'Application/Json': { schema: text } } }, 'a', '?q=%22a%22'],
  ['a reserved text', { allowReserved: true }, 'a/b:c&d', '?q=a/b:c%26d'],
  ['a reserved list', { allowReserved: true, schema: ids }, ['a/b', 'c d'], '?q=a/b&q=c%20d'],
  ['a reserved list in one', { allowReserved: true, explode: false, schema: ids }, ['a/b', 'c'], '?q=a/b,c'],
  [
    'reserved bounds',
    { allowReserved: true, style: 'deepObject', schema: object({ at: text }) },
    { at: 'a/b' },
    '?q[at]=a/b',
  ],
])('a query of %s', async (_name, more, value, sent) => {
  const { request } = await api.call(get, parameter('q', more), { q: value });
  expect(request.url).toBe(`/things${sent}`);
});

test('headers of the connection are the business of the client', async () => {
  const names = [
    'Content-Length',
    'Host',
    'Connection',
    'Transfer-Encoding',
    'Expect',
    'Upgrade',
    'TE',
    'X-Own',
  ];
  const parameters = names.map((name) => ({ name, in: 'header', required: true, schema: text }));
  const { request, isError } = await api.call(
    post,
    { parameters, ...body('text/plain', text) },
    { x_own: 'a', body: 'b' },
  );
  expect(isError).toBe(false);
  expect(request.headers).toMatchObject({ 'x-own': 'a', 'content-length': '1' });
});

test('a name that no header can have is a mistake with its place', async () => {
  const parameters = [{ name: 'X Bad: Name', in: 'header', schema: text }];
  await expect(api.call(get, { parameters })).rejects.toThrow(
    '#/paths/~1things/get/parameters/0 has the name "X Bad: Name", which no header can have.',
  );
});

const place = (name: string) => ({ parameters: [{ name, in: 'path', required: true, schema: text }] });

test.each([
  ['/v1/{name=projects/*}', 'projects/p 1', '/v1/projects/p%201'],
  ['/v1/{name=projects/*}:cancel', 'projects/p', '/v1/projects/p:cancel'],
  ['/v1/{+name}', 'a/b/c', '/v1/a/b/c'],
  ['/v1/{name+}', 'a/b?c', '/v1/a/b%3Fc'],
  ['/v1/{name=**}', 'a/b', '/v1/a/b'],
  ['/v1/{name}', 'a/b', '/v1/a%2Fb'],
])('the path %s is filled with %s', async (path, name, url) => {
  const { request } = await api.call(['get', path], place('name'), { name });
  expect(request.url).toBe(url);
  // A specification may forget to describe it.
  expect((await api.call(['get', path], {}, { name })).request.url).toBe(url);
});

test.each(['projects/p/q', 'other/p', 'projects/..', 'projects/', '../x'])(
  'a value that does not have the form of its place is refused: %s',
  async (name) => {
    const before = api.requests.length;
    const { isError, text: said } = await api.call(['get', '/v1/{name=projects/*}'], place('name'), { name });
    expect([isError, api.requests.length]).toEqual([true, before]);
    expect(said).toContain('cannot be called with this name');
  },
);

test.each([
  [307, 'POST', '{"a":"x"}'],
  [308, 'POST', '{"a":"x"}'],
  [303, 'GET', ''],
])('after %i of the same origin, a %s follows', async (status, method, sent) => {
  const operation = {
    ...body('application/json', object({ a: text })),
    ...answers('application/json', object({ b: text })),
  };
  const { request, structured } = await api.call(
    ...([post, operation, { a: 'x' }] as const),
    { status, headers: { location: '/moved' } },
    { headers: { 'content-type': 'application/json' }, body: '{"b":"y"}' },
  );
  expect([request.method, request.url, request.body.toString()]).toEqual([method, '/moved', sent]);
  expect(request.headers['content-type']).toBe(sent === '' ? undefined : 'application/json');
  expect(structured).toEqual({ b: 'y' });
});

test.each([301, 302])('after %i nobody sends a POST again', async (status) => {
  const before = api.requests.length;
  const { isError, text: said } = await api.call(post, {}, {}, { status, headers: { location: '/moved' } });
  expect([isError, api.requests.length]).toEqual([true, before + 1]);
  expect(said).toContain(String(status));
});

const json = answers('application/json', object({ name: text }));

test.each([
  [
    'Latin-1',
    json,
    'application/json; charset=ISO-8859-1',
    Buffer.from('{"name":"Café"}', 'latin1'),
    { name: 'Café' },
  ],
  ['an unknown charset', json, 'application/json; charset=none', '{"name":"Café"}', { name: 'Café' }],
  ['JSON under another name', json, 'text/plain', '{"name":"a"}', { name: 'a' }],
  ['JSON of capitals', json, 'APPLICATION/JSON', '{"name":"a"}', { name: 'a' }],
  ['a vendor type', json, 'application/vnd.github.v3+json', '{"name":"a"}', { name: 'a' }],
])('an answer in %s is read', async (_name, operation, type, content, expected) => {
  const { structured } = await api.call(
    get,
    operation,
    {},
    { headers: { 'content-type': type }, body: content },
  );
  expect(structured).toEqual(expected);
});

test.each(['application/x-ndjson', 'application/jsonl', 'application/json-seq'])(
  'an answer of %s is a list of its lines',
  async (type) => {
    const operation = answers(type, object({ name: text }));
    const answer = { headers: { 'content-type': type }, body: '\x1e{"name":"a"}\n\x1e{"name":"b"}\n' };
    const { text: said, isError } = await api.call(get, operation, {}, answer);
    expect(isError).toBe(false);
    expect(JSON.parse(said)).toEqual([{ name: 'a' }, { name: 'b' }]);
  },
);

const list = answers('application/json', { type: 'array', items: object({ name: text }) });

test.each([
  [
    'nothing',
    json,
    { status: 204, headers: {}, body: '' },
    'was carried out. It answered 204 without content',
  ],
  ['no list', list, { status: 200, body: '' }, 'was carried out. It answered 200 without content'],
  [
    'a page',
    json,
    { headers: { 'content-type': 'text/html' }, body: '<p>hi' },
    'answered 200 with text/html in the place of JSON',
  ],
  [
    'plain words',
    json,
    { headers: { 'content-type': 'text/plain' }, body: 'queued' },
    'in the place of JSON: queued',
  ],
])('%s in the place of promised JSON is explained', async (_name, operation, answer, words) => {
  const { isError, text: said } = await api.call(post, operation, {}, answer);
  expect(isError).toBe(true);
  expect(said).toContain(words);
});
