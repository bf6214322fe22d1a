import { connect } from '@toolwright/testing';
import { createMcpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { openApiTools } from '../../src/index';
import { contractOf } from '../../src/model/tool-contract';
import { planOperations } from '../../src/model/plan-operations';
import { convertVersion2 } from '../../src/read/convert-version-2';
import { readSpecification } from '../../src/read/read-specification';
import { writeFiles } from '../../src/write/write-files';
import { partsOf, RecordingApi } from '../support/recording-api';

const api = new RecordingApi();
beforeAll(() => api.open());
afterAll(() => api.close());

const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const ofType = (type: string, schema: object = {}) => ({ content: { [type]: { schema } } });
const answers = (schema: object) => ({ responses: { 200: ofType('application/json', schema) } });
const query = (name: string, schema: object = text) => ({ name, in: 'query', schema });
const head = { openapi: '3.1.0', info: { title: 'Any', version: '1' } };
const json = (body: unknown, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

describe('an answer', () => {
  const both = {
    responses: { 201: ofType('application/json', object({ id: text })), 204: { description: 'updated' } },
  };

  test('without content that the specification has beside another is null, and no error', async () => {
    const empty = { status: 204, headers: {}, body: '' };
    const { isError, structured } = await api.call(['put', '/a'], both, {}, empty);
    expect([isError, structured]).toEqual([false, null]);
    expect(await api.call(['put', '/a'], both, {}, json({ id: '1' }, 201))).toMatchObject({
      structured: { id: '1' },
    });
    const code = [
      ...writeFiles(planOperations(await readSpecification({ ...head, paths: { '/a': { put: both } } }))),
    ];
    expect(code.join('')).toMatch(/mayBeEmpty: true/);
    expect(code.join('')).toMatch(/Promise<\w+ \| null>/);
  });

  test('that breaks off is read again, or was carried out', async () => {
    const broken = {
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: 'no gzip',
    };
    const before = api.requests.length;
    expect(await api.call(['post', '/a'], answers({}), {}, broken)).toMatchObject({
      isError: true,
      text: 'POST /a was carried out. It answered 200, and the answer broke off, so there is no result to show.',
    });
    expect(api.requests).toHaveLength(before + 1);
    const server = await createMcpServer({
      name: 'any',
      version: '1.0.0',
      services: [],
      logger: silentLogger,
    });
    const spec = {
      ...head,
      paths: { '/a': { get: { operationId: 'getIt', ...answers(object({ id: text })) } } },
    };
    await openApiTools(server, { spec, baseUrl: api.baseUrl, retryDelay: 0 });
    api.answers = [broken, json({ id: '1' })];
    expect((await (await connect(server)).call('get_it', {})).structuredContent).toEqual({ id: '1' });
    await server.close();
  });

  test('has the members of all heirs of a base, which its discriminator names', async () => {
    const at = (name: string) => `#/components/schemas/${name}`;
    const mapping = { cat: at('Cat'), dog: at('Dog') };
    const heir = (properties: object) => ({ allOf: [{ $ref: at('Pet') }, object(properties)] });
    const schemas = {
      Pet: object({ name: text, kind: text }, { discriminator: { propertyName: 'kind', mapping } }),
      Cat: heir({ huntingSkill: text }),
      Dog: heir({ packSize: { type: 'integer', format: 'int32' } }),
    };
    const get = { operationId: 'listPets', ...answers({ type: 'array', items: { $ref: at('Pet') } }) };
    const plan = planOperations(
      await readSpecification({ ...head, paths: { '/pets': { get } }, components: { schemas } }),
    );
    const { outputSchema } = contractOf(plan.operations[0]!, plan);
    expect(JSON.stringify(outputSchema)).toMatch(/huntingSkill.*packSize/);
  });

  test('keeps digits that JSON.stringify would write otherwise, although a double holds them', async () => {
    const id = { type: 'integer', format: 'int64' };
    const all = ['175928847299117056', '-9223372036854775808', '9007199254740992'];
    const { text: said, structured } = await api.call(
      ['get', '/a'],
      answers(object({ ids: { type: 'array', items: id } })),
      {},
      { headers: { 'content-type': 'application/json' }, body: `{"ids":[${all.join()}]}` },
    );
    expect(structured).toEqual({ ids: [all[0], all[1], 2 ** 53] });
    expect(said).toContain(`"${all[0]}"`);
  });
});

test.each<[string, unknown, string]>([
  [
    'FastAPI',
    { detail: [{ loc: ['body', 'age'], msg: 'field required', type: 'x' }] },
    'body.age: field required',
  ],
  ['Django', { name: ['This field is required.'] }, 'name: This field is required.'],
  ['OData', { error: { message: { lang: 'en-us', value: 'Type mismatch' } } }, 'Type mismatch'],
  ['ASP.NET', { title: 'Not valid.', errors: { Name: ['Is required.'] } }, 'Not valid.; Name: Is required.'],
  [
    'GitHub',
    { message: 'Validation Failed', errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }] },
    'Validation Failed; title: missing_field',
  ],
  ['RFC 9457', { title: 'No', errors: [{ detail: 'too small', pointer: '#/age' }] }, 'No; #/age: too small'],
  ['Zalando', { title: 'No', violations: [{ field: 'name', message: 'is empty' }] }, 'No; name: is empty'],
  ['JSON:API', { errors: [{ detail: 'too long', source: { pointer: '/data/x' } }] }, '/data/x: too long'],
  [
    'Google',
    { error: { code: 3, message: 'Bad', details: [{ field: 'q', description: 'odd' }] } },
    'Bad; q: odd',
  ],
])('the words of an error of %s reach the caller', async (_name, body, words) => {
  const { text: said } = await api.call(['post', '/a'], answers({}), {}, json(body, 422));
  expect(said).toBe(`POST /a answered 422 Unprocessable Entity: ${words}`);
});

test('the words of an error in XML reach the caller, and those of a page do not', async () => {
  const xml = (body: string) => ({ status: 400, headers: { 'content-type': 'text/xml' }, body });
  const said = async (body: string) => (await api.call(['post', '/a'], answers({}), {}, xml(body))).text;
  expect(await said('<Error><Code>NoSuchBucket</Code><Message>Not there</Message></Error>')).toBe(
    'POST /a answered 400 Bad Request: NoSuchBucket Not there',
  );
  expect(await said('<div>stack</div>')).toBe('POST /a answered 400 Bad Request.');
});

describe('a request', () => {
  test('has a text of a type that is no file as it is', async () => {
    const operation = {
      requestBody: { required: true, ...ofType('application/graphql', text) },
      ...answers({}),
    };
    const { request } = await api.call(['post', '/a'], operation, { body: '{x}' });
    expect([request.headers['content-type'], request.body.toString()]).toEqual([
      'application/graphql',
      '{x}',
    ]);
  });

  test('has the query of the address behind its own path', async () => {
    const server = await createMcpServer({
      name: 'any',
      version: '1.0.0',
      services: [],
      logger: silentLogger,
    });
    const get = { operationId: 'getIt', parameters: [query('q')], responses: {} };
    const spec = { ...head, paths: { '/a': { get } } };
    await openApiTools(server, { spec, baseUrl: `${api.baseUrl}/x/?tenant=1` });
    await (await connect(server)).call('get_it', { q: '1' });
    await server.close();
    expect(api.requests.at(-1)!.url).toBe('/x/a?tenant=1&q=1');
  });

  test('has the character for what is no text in the place of half of one', async () => {
    const parameters = [query('q')];
    const { request } = await api.call(['get', '/a'], { parameters, ...answers({}) }, { q: '\ud800' });
    expect(request.url).toBe('/a?q=%EF%BF%BD');
  });

  test('has no member of a prototype that the caller does not give', async () => {
    const parameters = [query('constructor'), query('valueOf'), query('season')];
    const requestBody = ofType(
      'application/x-www-form-urlencoded',
      object({ constructor: text, name: text }),
    );
    const operation = { parameters, requestBody, ...answers({}) };
    const { request } = await api.call(['post', '/f1'], operation, { season: '2026', name: 'n' });
    expect(request.url).toBe('/f1?season=2026');
    expect(request.body.toString()).not.toContain('function');
    const given = await api.call(['get', '/f1'], { parameters, ...answers({}) }, { query_constructor: 'a' });
    expect(given.request.url).toBe('/f1?constructor=a');
  });

  test('has a file of version 3.1 as a file', async () => {
    const file = { type: 'string', contentMediaType: 'application/octet-stream' };
    const operation = { requestBody: ofType('multipart/form-data', object({ file })), ...answers({}) };
    const args = { file: Buffer.from([0, 255]).toString('base64') };
    const { request } = await api.call(['post', '/a'], operation, args);
    const [part] = partsOf(request);
    expect(part!.head).toContain('filename="file"');
    expect(part!.content).toBe('\u0000\u00ff');
  });

  test('has what stands beside the reference of its path', async () => {
    const spec = {
      ...head,
      servers: [{ url: 'https://x.example' }],
      paths: Object.fromEntries(
        ['b', 'c'].map((name) => [
          `/${name}`,
          {
            $ref: '#/components/pathItems/P',
            ...(name === 'c' && {
              parameters: [query('extra')],
              servers: [{ url: 'https://other.example' }],
            }),
          },
        ]),
      ),
      components: { pathItems: { P: { get: { parameters: [query('own')], responses: {} } } } },
    };
    const { operations } = planOperations(await readSpecification(spec));
    expect(operations.map(({ baseUrl, arguments: all }) => [baseUrl, all.map(({ name }) => name)])).toEqual([
      [undefined, ['own']],
      ['https://other.example', ['extra', 'own']],
    ]);
  });
});

test('pages of one and the same state are read to their end', async () => {
  const pages = [
    query('page', { type: 'integer', default: 1 }),
    query('per_page', { type: 'integer', default: 2 }),
  ];
  const operation = { parameters: pages, ...answers({ type: 'array', items: text }) };
  const same = json(['same', 'same']);
  const { structured } = await api.call(['get', '/a'], operation, {}, same, same, same, json([]));
  expect(structured).toHaveLength(6);
});

describe('a specification', () => {
  test('of version 2.0 has the name of a property as its discriminator', async () => {
    const Pet = object({ petType: text }, { discriminator: 'petType' });
    const responses = { 200: { description: 'ok', schema: { $ref: '#/definitions/Pet' } } };
    const spec = {
      swagger: '2.0',
      info: head.info,
      paths: { '/a': { get: { responses } } },
      definitions: { Pet },
    };
    const { mistakes, notes } = await readSpecification(spec, { convert: convertVersion2 });
    expect([mistakes, notes]).toEqual([[], []]);
  });

  test('that refers to what is no pointer is refused with the reference', async () => {
    const post = { requestBody: ofType('application/json', { $ref: '#pet' }), responses: {} };
    const specification = await readSpecification({ ...head, paths: { '/a': { post } } });
    expect(() => planOperations(specification)).toThrow('#pet is not there');
  });

  test('with values of a text that are written as numbers has a note', async () => {
    const parameters = [query('version', { type: 'string', enum: [1, 1.1] })];
    const { notes } = await readSpecification({
      ...head,
      paths: { '/a': { get: { parameters, responses: {} } } },
    });
    expect(notes).toEqual([expect.stringMatching(/^#\/paths\/.*\/schema\/enum has 1, 1\.1/)]);
  });

  test('names no method of a service like one that the container calls', async () => {
    const paths = Object.fromEntries(
      ['onModuleInit', 'onDispose', 'onInit'].map((operationId) => [
        `/${operationId}`,
        { get: { operationId, responses: {} } },
      ]),
    );
    const code = [...writeFiles(planOperations(await readSpecification({ ...head, paths })))].join('');
    expect(code).toMatch(/async onModuleInit2\(/);
    expect(code).not.toMatch(/async on(?:Dispose|Init)\(/);
  });
});
