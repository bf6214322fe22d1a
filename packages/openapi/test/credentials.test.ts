import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { silentLogger } from '@toolwright/core/ports';
import { openApiTools, type OpenApiToolsOptions } from '../src/index';
import { planOperations } from '../src/model/plan-operations';
import { readSpecification } from '../src/read/read-specification';
import { writeFiles } from '../src/write/write-files';
import { AnsweringApi } from './support/answering-api';

const api = new AnsweringApi();
let baseUrl: string;
beforeAll(async () => (baseUrl = await api.open()));
afterAll(() => api.close());

const key = (place: string, name: string) => ({ type: 'apiKey', in: place, name });
const securitySchemes = {
  tok: { type: 'http', scheme: 'bearer' },
  bas: { type: 'http', scheme: 'Basic' },
  head: key('header', 'X-Key'),
  admin: key('header', 'X-Admin'),
  query: key('query', 'api_key'),
  cookie: key('cookie', 'sid'),
};
const all: Partial<OpenApiToolsOptions> = {
  token: 'TOK',
  basic: { username: 'u', password: 'p' },
  apiKey: [
    { in: 'header', name: 'x-key', value: 'K' },
    { in: 'header', name: 'X-Admin', value: 'A' },
    { in: 'query', name: 'api_key', value: 'Q' },
    { in: 'cookie', name: 'sid', value: 'C' },
  ],
};

/** A document with one operation for each list of requirements. */
function documentOf(
  operations: Record<string, object[] | undefined>,
  ofDocument?: object[],
  schemes: object = securitySchemes,
) {
  const paths = Object.entries(operations).map(([operationId, security]) => [
    `/${operationId}`,
    { get: { operationId, responses: {}, ...(security && { security }) } },
  ]);
  return {
    openapi: '3.0.3',
    info: { title: 'Keys', version: '1' },
    paths: Object.fromEntries(paths) as object,
    components: { securitySchemes: schemes },
    ...(ofDocument && { security: ofDocument }),
  };
}

/** What arrives of the credentials with each call. */
async function sent(
  spec: object,
  given: Partial<OpenApiToolsOptions> = all,
): Promise<Record<string, unknown>> {
  const server = await createMcpServer({
    name: 'keys',
    version: '1.0.0',
    services: [],
    audit: false,
    logger: silentLogger,
  });
  const names = await openApiTools(server, { spec, baseUrl, ...given });
  const client = await connect(server, { principal: { subject: 'a', scopes: ['s'] } });
  const found: Record<string, unknown> = {};
  for (const name of names) {
    api.answer = '{}';
    const before = api.seen.length;
    await client.call(name, {});
    const { url, headers } = api.seen[before]!;
    const { authorization, cookie } = headers;
    found[name] = [authorization, headers['x-key'], headers['x-admin'], cookie, url.split('?')[1]].filter(
      Boolean,
    );
  }
  await server.close();
  return found;
}

const BASIC = `Basic ${Buffer.from('u:p').toString('base64')}`;

test('an operation gets the credentials that it names, and no other', async () => {
  const spec = documentOf(
    {
      usual: undefined,
      open: [],
      public: [{}],
      login: [{ bas: [] }],
      admin: [{ admin: [] }],
      by_cookie: [{ cookie: [] }],
      both: [{ head: [], query: [] }],
      either: [{ cookie: [] }, { tok: [] }],
      perhaps: [{}, { admin: [] }],
    },
    [{ tok: [] }],
  );
  expect(await sent(spec)).toEqual({
    usual: ['Bearer TOK'],
    open: [],
    public: [],
    login: [BASIC],
    admin: ['A'],
    by_cookie: ['sid=C'],
    both: ['K', 'api_key=Q'],
    either: ['sid=C'],
    perhaps: ['A'],
  });
});

test('of several choices, the first one that is there is sent', async () => {
  const spec = documentOf({
    either: [{ cookie: [], head: [] }, { tok: [] }, { bas: [] }],
    login: [{ bas: [] }],
  });
  const { token, basic } = all;
  expect(await sent(spec, { token })).toEqual({ either: ['Bearer TOK'], login: [] });
  expect(await sent(spec, { basic })).toEqual({ either: [BASIC], login: [BASIC] });
  expect(await sent(spec, { token: () => undefined, basic })).toMatchObject({ either: [BASIC] });
});

test('a document that says nothing about an operation gets all that is given', async () => {
  expect(await sent(documentOf({ any: undefined }), { token: 'TOK' })).toEqual({ any: ['Bearer TOK'] });
  expect(await sent(documentOf({ any: undefined }, undefined, {}), { token: 'TOK' })).toEqual({
    any: ['Bearer TOK'],
  });
});

test('a credential that no scheme describes is sent with each operation that takes any', async () => {
  const schemes = { auth: key('header', 'Authorization') };
  const spec = documentOf({ some: [{ auth: [] }], none: [] }, undefined, schemes);
  expect(await sent(spec, { token: 'TOK' })).toEqual({ some: ['Bearer TOK'], none: [] });
});

test('written code has a variable for each key, and says which operation takes which', async () => {
  const spec = documentOf({ user: [{ head: [] }], admin: [{ admin: [] }], login: [{ bas: [] }], open: [] });
  const files = writeFiles(planOperations(await readSpecification(spec)));
  expect(files.get('api.ts')).toContain("{ in: 'header', name: 'X-Key', value: API_KEY }");
  expect(files.get('api.ts')).toContain("{ in: 'header', name: 'X-Admin', value: API_KEY_2 }");
  const tools = [...files.values()].join('');
  expect(tools).toContain("path: '/user', auth: [['header X-Key']]");
  expect(tools).toContain("path: '/login', auth: [['basic']]");
  expect(tools).toContain("path: '/open', auth: []");
});

test('written code says nothing where an operation takes all that there is', async () => {
  const { tok } = securitySchemes;
  const files = writeFiles(
    planOperations(await readSpecification(documentOf({ a: undefined }, [{ tok: [] }], { tok }))),
  );
  expect([...files.values()].join('')).not.toContain('auth:');
});
