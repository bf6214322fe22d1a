import { Confirm, ConfigurationError, createMcpServer, RateLimit, RequireScopes } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { join } from 'node:path';
import { type Logger, silentLogger } from '@toolwright/core/ports';
import { openApiTools } from '../src/index';
import { convertVersion2 } from '../src/read/convert-version-2';
import { readSpecification } from '../src/read/read-specification';
import { checkEveryTool } from './support/check-every-tool';
import { keepingLogger } from './support/keeping-logger';

const fixture = (name: string) => join(__dirname, 'fixtures', name);

test.each(['petstore.yaml', 'styles.yaml'])(
  'every request of every tool of %s fits the specification',
  async (name) => {
    const { document } = await readSpecification(fixture(name));
    const { tools, wrong } = await checkEveryTool(document, { include: ['*'] });
    expect(wrong).toEqual([]);
    expect(tools.length).toBeGreaterThan(5);
  },
);

test('every request of every tool of a specification of version 2.0 fits it', async () => {
  const { document } = await readSpecification(fixture('version-2.yaml'), { convert: convertVersion2 });
  const { tools, wrong } = await checkEveryTool(document, { include: ['*'] });
  expect(wrong).toEqual([]);
  const expected = ['list_crates', 'add_crate', 'get_crate', 'drop_crate', 'label_crate', 'photograph_crate'];
  expect(tools).toEqual(expected);
});

test('a value with a slash does not lead the stub to a longer path', async () => {
  const get = (...names: string[]) => ({
    responses: { 204: { description: 'ok' } },
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
  });
  const query = { name: 'q', in: 'query', schema: { type: 'string' } };
  const list = get('owner');
  const document = {
    openapi: '3.1.0',
    info: { title: 'Pages', version: '1' },
    paths: {
      '/pages/{owner}': { get: { ...list, parameters: [...list.parameters, query] } },
      '/pages/{owner}/{page}': { get: get('owner', 'page') },
    },
  };
  const { tools, wrong } = await checkEveryTool(document as never);
  expect([tools.length, wrong]).toEqual([2, []]);
});

test('the check can fail: a request that lacks an argument is found', async () => {
  const { document } = await readSpecification(fixture('petstore.yaml'));
  const broken = structuredClone(document);
  const list = (broken.paths!['/pets'] as { get: { parameters: { required?: boolean }[] } }).get;
  const stricter = structuredClone(broken);
  (stricter.paths!['/pets'] as typeof broken.paths & { get: typeof list }).get.parameters.push({
    name: 'tenant',
    in: 'query',
    required: true,
  } as never);
  const { wrong } = await checkEveryTool(broken, { include: ['listPets'] }, stricter);
  expect(wrong).toEqual([
    { tool: 'list_pets', problems: expect.arrayContaining(['query tenant is missing']) },
  ]);
});

const serve = (logger: Logger = silentLogger) =>
  createMcpServer({ name: 'pets', version: '1.0.0', services: [], audit: false, logger });

test('the chosen operations are tools with the guards of every tool', async () => {
  const server = await serve();
  const names = await openApiTools(server, {
    spec: fixture('petstore.yaml'),
    include: ['pets'],
    exclude: ['DELETE *'],
  });
  expect(names).toEqual(['list_pets', 'create_pet', 'get_pet', 'update_pet', 'upload_photo']);
  const anonymous = await connect(server);
  // The others need the scope "pets".
  expect((await anonymous.tools()).map(({ name }) => name)).toEqual(['get_pet']);
  const ann = await connect(server, { principal: { subject: 'ann', scopes: ['pets'] } as never });
  expect(await ann.tools()).toHaveLength(5);
  const refused = await ann.call('create_pet', { name: '' });
  expect(refused.isError).toBe(true);
  await server.close();
});

test('what an operation says is what its tool says', async () => {
  const server = await serve();
  await openApiTools(server, { spec: fixture('petstore.yaml'), include: ['getPet'] });
  const [tool] = await (await connect(server)).tools();
  expect(tool).toMatchObject({
    name: 'get_pet',
    description: 'Get a pet.',
    annotations: { readOnlyHint: true, openWorldHint: true },
    inputSchema: {
      properties: {
        petId: {
          anyOf: [
            { type: 'integer', minimum: 1 },
            { type: 'string', pattern: String.raw`^(?:[1-9]\d*)$` },
          ],
          description: 'Which pet',
        },
      },
      required: ['petId'],
      additionalProperties: false,
    },
  });
  await server.close();
});

test.each([
  [
    { include: ['pets', 'lisPets', 'GET /toys*'] },
    ['"lisPets"', '"GET /toys*"', 'operations, such as listPets'],
  ],
  [{ include: [] }, ['"include" is empty']],
  [{ include: ['listPets'], exclude: ['*'] }, ['No operation', 'is left (excluded)']],
])('%j chooses less than it says, so it is a problem that names %j', async (choice, words) => {
  const server = await serve();
  const thrown = (await openApiTools(server, { spec: fixture('petstore.yaml'), ...choice }).catch(
    (error: Error) => error,
  )) as Error;
  expect(thrown).toBeInstanceOf(ConfigurationError);
  for (const word of ['TW_OPENAPI_INCLUDE', 'petstore.yaml', ...words])
    expect(thrown.message).toContain(word);
  expect(thrown.message).not.toContain('"pets"');
  expect(server.tools.list()).toEqual([]);
  await server.close();
});

test('a specification without operations is a problem, too', async () => {
  const server = await serve();
  const spec = { openapi: '3.1.0', info: { title: 'Empty', version: '1' }, paths: {} };
  await expect(openApiTools(server, { spec })).rejects.toThrow('Empty has no operation.');
  await server.close();
});

test('a guard that an update does not name stays: the scopes of the specification', async () => {
  const oauth = {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: 'https://carrier.example/token', scopes: { write: 'write' } } },
  };
  const spec = {
    openapi: '3.0.3',
    info: { title: 'Carrier', version: '1' },
    components: { securitySchemes: { oauth } },
    paths: {
      '/bookings': {
        delete: {
          operationId: 'cancelBookings',
          summary: 'Cancel.',
          security: [{ oauth: ['write'] }],
          responses: { 204: { description: 'Done.' } },
        },
      },
    },
  };
  const logger = silentLogger;
  const server = await createMcpServer({ name: 'x', version: '1.0.0', services: [], logger });
  const [name] = await openApiTools(server, { spec, baseUrl: 'http://127.0.0.1:1' });
  server.tools.update(name!, { policies: [Confirm.entry('Sure?')] });
  const listed = async (scopes: string[]) => {
    const client = await connect(server, { principal: { subject: 'eve', scopes } });
    const tools = await client.tools();
    await client.close();
    return tools.length;
  };
  expect([await listed([]), await listed(['write'])]).toEqual([0, 1]);
  server.tools.update(name!, { policies: { remove: ['RequireScopes'] } });
  expect(await listed([])).toBe(1);
  await server.close();
});

test('all tools of a call have its policies, which are added to those of the specification', async () => {
  const server = await serve();
  function* policies() {
    yield RateLimit.entry({ points: 2, per: '1h' });
    yield RequireScopes.entry('clinic');
  }
  await openApiTools(server, {
    spec: fixture('petstore.yaml'),
    include: ['getPet', 'updatePet'],
    policies: policies(),
    baseUrl: 'http://127.0.0.1:1',
    retries: 0,
  });
  const scopes = server.tools.list().map((tool) => RequireScopes.of(tool)!.options.scopes);
  expect(scopes).toEqual([['clinic'], ['pets', 'clinic']]);
  const client = await connect(server, { principal: { subject: 'ann', scopes: ['clinic'] } as never });
  const answers = [await client.call('get_pet', { petId: 1 }), await client.call('get_pet', { petId: 1 })];
  expect(JSON.stringify(answers[0]!.content)).toContain('did not reach the API');
  expect(JSON.stringify(answers[1]!.content)).not.toContain('did not reach the API');
  await server.close();
});

test('tools are for some callers, and two APIs with one name differ by prefix', async () => {
  const server = await serve();
  const spec = fixture('petstore.yaml');
  const isOf = (tenant: string) => (principal?: { subject: string }) => principal?.subject === tenant;
  await openApiTools(server, { spec, include: ['getPet'], prefix: 'north_', for: isOf('ann') });
  await openApiTools(server, { spec, include: ['getPet'], prefix: 'south_', for: isOf('bob') });
  const seenBy = async (subject: string) => {
    const client = await connect(server, { principal: { subject, scopes: [] } as never });
    return (await client.tools()).map(({ name }) => name);
  };
  expect([await seenBy('ann'), await seenBy('bob'), await seenBy('eve')]).toEqual([
    ['north_get_pet'],
    ['south_get_pet'],
    [],
  ]);
  await server.close();
});

test('with a prefix, names still have at most 64 letters and stay different', async () => {
  const get = { responses: { 204: { description: 'ok' } } };
  const name = 'get_the_quite_long_name_of_something_that_has_a_name_for_';
  const paths = Object.fromEntries(
    ['one', 'two'].map((end) => [`/${end}`, { get: { ...get, operationId: name + end } }]),
  );
  const server = await serve();
  const names = await openApiTools(server, {
    spec: { openapi: '3.1.0', paths },
    prefix: 'warehouse_of_the_north_',
  });
  expect(new Set(names).size).toBe(2);
  for (const each of names) expect(each).toMatch(/^warehouse_of_the_north_\w{10,41}$/);
  await server.close();
});

test.each([
  [{ prefix: 'no spaces ' }, 'prefix'],
  [{ prefix: '' }, 'prefix'],
  [{ policies: 'RateLimit' }, 'policies'],
  [{ for: 'ann' }, 'for'],
  [{ prefixes: 'a' }, 'prefixes'],
])('%j is a problem of the boot, and adds nothing', async (options, word) => {
  const server = await serve();
  const adding = openApiTools(server, { spec: fixture('petstore.yaml'), ...(options as object) });
  await expect(adding).rejects.toThrow(`"${word}"`);
  expect(server.tools.list()).toEqual([]);
  await server.close();
});

describe('what the specification has and the tools do not', () => {
  const paths = {
    '/rows': {
      get: {
        operationId: 'listRows',
        parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
        requestBody: { content: { 'application/json': { schema: {} } } },
        responses: {},
      },
      trace: { operationId: 'traceRows', responses: {} },
      query: { operationId: 'searchRows', responses: {} },
    },
    '/old': { get: { operationId: 'listOld', deprecated: true, responses: {} } },
    '/up': { get: { operationId: 'getUp', responses: {} }, servers: [{ url: 'https://up.example' }] },
    '/down': { get: { operationId: 'getDown', responses: {} }, servers: [{ url: 'ftp://down.example' }] },
  };
  const key = (name: string) => ({ type: 'apiKey', in: 'header', name });
  const spec = {
    openapi: '3.2.0',
    info: { title: 2026, version: '1' },
    paths,
    components: { securitySchemes: { a: key('A'), b: key('B') } },
    security: [{ a: [], b: [] }],
  };
  const remarks = async (options: object = {}) => {
    const { logger, warnings } = keepingLogger();
    const server = await serve(logger);
    const apiKey = { in: 'header', name: 'A', value: 'x' } as const;
    await openApiTools(server, { spec, baseUrl: 'https://api.example', apiKey, ...options });
    await server.close();
    return warnings;
  };

  test('is logged once, in one line of the log', async () => {
    const said = await remarks();
    expect(said).toHaveLength(1);
    expect(said[0]!.fields).toMatchObject({ specification: '2026' });
    expect(said[0]!.fields['remarks']).toEqual([
      'Left out: 1 (no request with TRACE can be sent): traceRows.',
      'Left out: 1 (deprecated: name it with "include" to have it): listOld.',
      'Left out: 1 (the method QUERY of OpenAPI 3.2 is not supported): searchRows.',
      'Not read as pages, because nothing shows how they are counted: list_rows page.',
      '#/info/title is 2026, and is read as "2026".',
      '#/paths/~1rows/get/requestBody is left out: a request that only reads has no body.',
      expect.stringMatching(/^#\/paths\/~1down\/get is at "ftp:/),
      expect.stringMatching(/^No request goes to https:\/\/up\.example, .*get_up.*"servers"/),
      '3 tools need header A and header B, such as list_rows, and not all of it is given.',
    ]);
  });

  test('is no news where the author has left it out, or given it', async () => {
    const apiKey = ['A', 'B'].map((name) => ({ in: 'header', name, value: 'x' }));
    const servers = { 'https://up.example': 'https://up.example' };
    expect(await remarks({ apiKey, servers, include: ['getUp'], spec: { ...spec, info: {} } })).toEqual([]);
  });
});

test('without baseUrl, the servers of the whole document are known', async () => {
  const { logger, warnings } = keepingLogger();
  const server = await serve(logger);
  const get = (operationId: string, url: string) => ({
    get: { operationId, responses: {} },
    servers: [{ url }],
  });
  const spec = {
    openapi: '3.0.3',
    info: { title: 'Hosts', version: '1' },
    servers: [
      { url: 'https://api.example/v1' },
      { url: 'https://{name}.example', variables: { name: { default: 'up' } } },
    ],
    paths: { '/a': get('getA', 'https://up.example/files'), '/b': get('getB', 'https://api.example/v2') },
  };
  await openApiTools(server, { spec });
  expect(warnings).toEqual([]);
  await openApiTools(server, { spec, baseUrl: 'https://test.example', prefix: 'test_' });
  expect(warnings[0]!.fields['remarks']).toEqual([
    expect.stringContaining('https://up.example/files'),
    expect.stringContaining('https://api.example/v2'),
  ]);
  await server.close();
});
