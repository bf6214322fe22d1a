import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@toolwright/core/ports';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { openApiTools } from '../src/index';
import { planOperations } from '../src/model/plan-operations';
import { readSpecification } from '../src/read/read-specification';
import { writeFiles } from '../src/write/write-files';
import { AnsweringApi } from './support/answering-api';

const api = new AnsweringApi();
let baseUrl: string;
let folder: string;
beforeAll(async () => {
  baseUrl = await api.open();
  folder = temporaryFolder();
});
afterAll(async () => {
  await api.close();
});

const [text, whole] = [{ type: 'string' }, { type: 'integer' }];
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const ok = { 200: { description: 'ok' } };
const json = (schema: object) => ({ 'application/json': { schema } });

function posts(bodies: Record<string, object>, schemas: object = {}, more: object = {}): object {
  const paths = Object.entries(bodies).map(([name, schema]) => [
    `/${name}`,
    {
      post: {
        operationId: name,
        requestBody: { required: true, content: json(schema), ...more },
        responses: ok,
      },
    },
  ]);
  return {
    openapi: '3.0.3',
    info: { title: 'Posts', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas },
  };
}

/** Whether the arguments were accepted and reached the API as they were given. */
async function send(spec: string | object, tool: string, args: object): Promise<string> {
  const server = await createMcpServer({ name: 'sends', version: '1.0.0', services: [], audit: false });
  try {
    await openApiTools(server, { spec, baseUrl });
    api.answer = '';
    const before = api.seen.length;
    const result = await (await connect(server)).call(tool, args as Record<string, unknown>);
    if (result.isError) return JSON.stringify(result.content);
    expect(api.seen).toHaveLength(before + 1);
    return api.seen.at(-1)!.body;
  } finally {
    await server.close();
  }
}

describe('behind a discriminator', () => {
  const kind = (value: string) => object({ kind: { type: 'string', enum: [value] } }, { required: ['kind'] });
  const open = object({ kind: text });
  const union = (mapping?: object) => ({
    oneOf: [ref('Cat'), ref('Dog')],
    discriminator: { propertyName: 'kind', ...(mapping && { mapping }) },
  });
  const pet = (schema: object) => object({ pet: schema });

  test('without a mapping, the value that the schema names is right, and the name of the schema is wrong', async () => {
    const spec = posts({ add: pet(union()) }, { Cat: kind('cat'), Dog: kind('dog') });
    const right = { pet: { kind: 'cat' } };
    expect(await send(spec, 'add', right)).toBe(JSON.stringify(right));
    expect(await send(spec, 'add', { pet: { kind: 'Cat' } })).toContain('kind');
  });

  test('without a mapping and a value, the name of the schema is right', async () => {
    const spec = posts({ add: pet(union()) }, { Cat: open, Dog: open });
    expect(await send(spec, 'add', { pet: { kind: 'Cat' } })).toBe('{"pet":{"kind":"Cat"}}');
    expect(await send(spec, 'add', { pet: { kind: 'cat' } })).toContain('kind');
  });

  test('one schema has other words in another union', async () => {
    const mapping = (cat: string, dog: string) => ({ [cat]: ref('Cat').$ref, [dog]: 'Dog' });
    const bodies = {
      add: pet(union(mapping('cat', 'dog'))),
      adopt: pet(union(mapping('kitten', 'puppy'))),
      keep: pet(ref('Cat')),
    };
    const spec = posts(bodies, { Cat: open, Dog: open });
    for (const [tool, word] of Object.entries({ add: 'cat', adopt: 'kitten', keep: 'any' }))
      expect(await send(spec, tool, { pet: { kind: word } })).toBe(`{"pet":{"kind":"${word}"}}`);
    expect(await send(spec, 'adopt', { pet: { kind: 'cat' } })).toContain('kind');
  });

  test('each of several words for one schema is right', async () => {
    const mapping = { cat: ref('Cat').$ref, tiger: ref('Cat').$ref, dog: ref('Dog').$ref };
    const spec = posts({ add: pet(union(mapping)) }, { Cat: open, Dog: open });
    for (const word of ['cat', 'tiger'])
      expect(await send(spec, 'add', { pet: { kind: word } })).toBe(`{"pet":{"kind":"${word}"}}`);
  });
});

const yaml = (version: string) => `openapi: ${version}
info: { title: Merged, version: '1' }
x-base: &base { type: object, required: [name], properties: { name: { type: string }, kind: { type: integer } } }
x-more: &more { additionalProperties: { type: string }, description: More. }
paths:
  /things:
    post:
      operationId: add
      requestBody:
        required: true
        content:
          application/json:
            schema:
              <<: [*base, *more]
              properties:
                <<: { size: { type: integer } }
                name: { type: string, maxLength: 3 }
      responses: { '200': { description: ok } }
`;

test('merge keys of YAML are applied: own members first, then those of the bases', async () => {
  const file = join(folder, 'merged.yaml');
  writeFileSync(file, yaml('3.1.0'));
  const body = { name: 'abc', size: 1, other: 'x' };
  expect(await send(file, 'add', { body })).toBe(JSON.stringify(body));
  expect(await send(file, 'add', { body: { name: 'abcd' } })).toContain('name');
  expect(await send(file, 'add', { body: { size: 1 } })).toContain('name');
});

test.each(['3.0', '3.1', "'3.0'", '3'])('the version %s is read', async (version) => {
  const file = join(folder, 'version.yaml');
  writeFileSync(file, yaml(version));
  expect(planOperations(await readSpecification(file)).operations).toHaveLength(1);
});

test('what is new in version 3.2 and not supported is named with its reason', async () => {
  const search = { operationId: 'searchThings', responses: ok };
  const parameters = [{ name: 'all', in: 'querystring', content: json(object({ a: text })) }];
  const stream = { requestBody: { content: { 'application/jsonl': { itemSchema: whole } } }, responses: ok };
  const plan = planOperations(
    await readSpecification({
      openapi: '3.2.0',
      info: { title: 'New', version: '1' },
      paths: {
        '/things': {
          query: search,
          additionalOperations: { COPY: { responses: ok } },
          get: { responses: ok },
        },
        '/all': { get: { operationId: 'getAll', parameters, responses: ok } },
        '/stream': { post: { operationId: 'addAll', ...stream } },
      },
    }),
    { include: ['*'] },
  );
  expect(plan.operations.map(({ key }) => key)).toEqual(['GET /things']);
  expect(plan.total).toBe(5);
  expect(plan.skipped).toEqual([
    { operation: 'getAll', reason: expect.stringContaining('querystring') },
    { operation: 'addAll', reason: expect.stringContaining('itemSchema') },
    { operation: 'searchThings', reason: expect.stringContaining('QUERY') },
    { operation: 'COPY /things', reason: expect.stringContaining('COPY') },
  ]);
});

describe('members of a body', () => {
  test.each<[string, object, object]>([
    ['of any name beside those with names', { additionalProperties: text }, { id: 1, a: 'b' }],
    ['that more is said of by true', { additionalProperties: true }, { id: 1, a: ['b'] }],
    ['by a pattern', { patternProperties: { '^x-': whole } }, { id: 1, 'x-a': 2 }],
    ['named constructor', { required: ['constructor', 'id'] }, { id: 1, constructor: 'a' }],
  ])('%s are sent', async (_name, more, part) => {
    const spec = posts({
      add: object({ part: object({ id: whole }, more) }),
      put: object({ id: whole }, more),
    });
    expect(await send(spec, 'add', { part })).toBe(JSON.stringify({ part }));
    const isWhole = !('required' in more);
    expect(await send(spec, 'put', isWhole ? { body: part } : part)).toBe(JSON.stringify(part));
  });

  test('that no pattern and no name allows are refused', async () => {
    const spec = posts({ add: object({ part: object({ id: whole }) }) });
    expect(await send(spec, 'add', { part: { id: 1, a: 'b' } })).toContain('part.a');
    const required = posts({ add: object({ part: object({ id: whole }, { required: ['constructor'] }) }) });
    expect(await send(required, 'add', { part: { id: 1 } })).toContain('constructor');
  });

  test('are needed only if there is a body, where the body may be missing', async () => {
    const spec = posts({ add: object({ id: whole }, { required: ['id'] }) }, {}, { required: false });
    expect(await send(spec, 'add', {})).toBe('');
    expect(await send(spec, 'add', { body: { id: 1 } })).toBe('{"id":1}');
    expect(await send(spec, 'add', { body: {} })).toContain('id');
  });
});

describe('an address of its own', () => {
  const other = new AnsweringApi();
  let otherUrl: string;
  beforeAll(async () => {
    otherUrl = await other.open();
  });
  afterAll(() => other.close());

  const get = (operationId: string, more: object = {}) => ({ get: { operationId, responses: ok, ...more } });
  const spec = () => ({
    openapi: '3.0.3',
    info: { title: 'Servers', version: '1' },
    servers: [{ url: `${baseUrl}/v1` }],
    paths: {
      '/plain': get('plain'),
      '/path': { ...get('ofPath'), servers: [{ url: `${otherUrl}/up/` }] },
      '/own': {
        ...get('own', { servers: [{ url: '/{v}', variables: { v: { default: 'v2' } } }] }),
        servers: [{ url: otherUrl }],
      },
      '/same': get('same', { servers: [{ url: 'https://x.example' }, { url: `${baseUrl}/v1/` }] }),
    },
  });

  test('of a path or an operation is where its requests go, if it is named', async () => {
    const server = await createMcpServer({
      name: 'servers',
      version: '1.0.0',
      services: [],
      audit: false,
      logger: silentLogger,
    });
    const names = await openApiTools(server, {
      spec: spec(),
      servers: { [`${otherUrl}/up`]: `${otherUrl}/up` },
      token: 'secret',
    });
    const client = await connect(server);
    [api.answer, other.answer] = ['', ''];
    const before = api.seen.length;
    for (const name of names) expect((await client.call(name, {})).isError).not.toBe(true);
    await server.close();
    expect(api.seen.slice(before).map(({ url }) => url)).toEqual(['/v1/plain', '/v2/own', '/v1/same']);
    expect(other.seen).toMatchObject([{ url: '/up/path', headers: { authorization: 'Bearer secret' } }]);
  });

  test('is changed by "servers", and an address that is not there gets no request', async () => {
    const call = async (servers: Record<string, string>) => {
      const server = await createMcpServer({
        name: 'servers',
        version: '1.0.0',
        services: [],
        audit: false,
        logger: silentLogger,
      });
      await openApiTools(server, { spec: spec(), servers, include: ['ofPath'] });
      const result = await (await connect(server)).call('of_path', {});
      await server.close();
      return result;
    };
    const before = [api.seen.length, other.seen.length];
    await call({ [`${otherUrl}/up`]: baseUrl });
    expect(api.seen.at(-1)!.url).toBe('/path');
    expect(await call({})).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('"servers"') }],
    });
    expect([api.seen.length, other.seen.length]).toEqual([before[0]! + 1, before[1]]);
  });

  test('stands in the written request, and in the client, which a variable changes', async () => {
    const files = writeFiles(planOperations(await readSpecification(spec())));
    expect(files.get('api.ts')).toContain(`'${otherUrl}/up': API_BASE_URL_2 ?? '${otherUrl}/up',`);
    const tools = [...files.values()].join('');
    expect(tools).toContain(`baseUrl: '${otherUrl}/up'`);
    expect(tools).toContain(`baseUrl: '/v2'`);
  });
});

test('two keys that the API wants at once are both sent', async () => {
  const key = (place: string, name: string) => ({ type: 'apiKey', in: place, name });
  const spec = {
    openapi: '3.0.3',
    info: { title: 'Keys', version: '1' },
    security: [{ id: [], key: [] }],
    components: {
      securitySchemes: { id: key('header', 'X-Id'), key: key('query', 'key'), old: key('query', 'old') },
    },
    paths: { '/things': { get: { operationId: 'getThings', responses: ok } } },
  };
  const files = writeFiles(planOperations(await readSpecification(spec)));
  expect(files.get('api.ts')).toContain("{ in: 'header', name: 'X-Id', value: API_KEY }");
  expect(files.get('api.ts')).toContain("{ in: 'query', name: 'key', value: API_KEY_2 }");
  const server = await createMcpServer({ name: 'keys', version: '1.0.0', services: [], audit: false });
  const apiKey = [
    { in: 'header', name: 'X-Id', value: 'a' },
    { in: 'query', name: 'key', value: 'b' },
  ] as const;
  await openApiTools(server, { spec, baseUrl, apiKey });
  await (await connect(server)).call('get_things', {});
  await server.close();
  expect(api.seen.at(-1)).toMatchObject({ url: '/things?key=b', headers: { 'x-id': 'a' } });
});

test.each(['patch', 'put', 'post'])(
  'a member of the body of a %s that the caller does not name is not sent',
  async (method) => {
    const schema = {
      type: 'object',
      properties: {
        name: text,
        active: { type: 'boolean', default: true },
        role: { type: 'string', enum: ['admin', 'user'], default: 'user' },
        settings: { type: 'object', properties: { mail: { type: 'boolean', default: false } } },
      },
    };
    const requestBody = { required: true, content: { 'application/json': { schema } } };
    const spec = {
      openapi: '3.0.3',
      info: { title: 'Users', version: '1' },
      paths: { '/users': { [method]: { operationId: 'changeUser', requestBody, responses: ok } } },
    };
    expect(await send(spec, 'change_user', { name: 'Ann', settings: {} })).toBe(
      '{"name":"Ann","settings":{}}',
    );
    const files = writeFiles(planOperations(await readSpecification(spec)));
    const code = [...files.values()].join('');
    expect(code).not.toContain('@default');
    expect(code).toContain('Default: user.');
  },
);
