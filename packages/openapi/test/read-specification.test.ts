import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { convertVersion2 } from '../src/read/convert-version-2';
import { reportOf } from '../src/report/import-report';
import { contractOf } from '../src/model/tool-contract';
import { planOperations } from '../src/model/plan-operations';
import { readSpecification } from '../src/read/read-specification';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));

function file(name: string, content: string | object): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const referring = ($ref: string) => ({
  openapi: '3.0.0',
  paths: {
    '/pets': { get: { responses: { 200: { content: { 'application/json': { schema: { $ref } } } } } } },
  },
});
const split = join(__dirname, 'fixtures/split/api.yaml');

test('a specification of several files becomes one', async () => {
  const plan = planOperations(await readSpecification(split));
  expect(plan.operations.map(({ toolName }) => toolName)).toEqual(['list_pets']);
  expect(plan.operations[0]!.result).toMatchObject({ kind: 'json', schema: { type: 'array' } });
  expect([...plan.outputs.values()][0]).toMatchObject({
    properties: { id: { type: ['integer', 'string'] } },
  });
});

test.each([
  ['a missing file', () => join(folder, 'missing.json'), 'does not exist'],
  ['a folder', () => folder, 'is a folder'],
  ['a URL', () => 'https://x.example/api.json', 'Nothing is fetched'],
  ['broken JSON', () => file('a.json', '{ "openapi": '), 'cannot be read'],
  ['broken YAML', () => file('a.yaml', 'openapi: [3'), 'cannot be read'],
  ['something else', () => file('a.json', { hello: 1 }), 'is not an OpenAPI specification'],
  ['a list', () => file('a.json', '[]'), 'is not an OpenAPI specification'],
  ['another version', () => file('a.json', { openapi: '4.0.0' }), 'has version 4.0.0'],
  ['version 2.0 at run time', () => file('a.json', { swagger: '2.0', paths: {} }), 'at build only'],
  [
    'a reference to the web',
    () => file('a.json', referring('http://127.0.0.1:1/pet.json')),
    'http://127.0.0.1:1/pet.json leaves',
  ],
  ['a reference upwards', () => file('in/a.json', referring('../pet.json')), 'pet.json leads out'],
  ['an absolute reference', () => file('a.json', referring('/etc/hosts')), '/etc/hosts is absolute'],
  [
    'a nested absolute one',
    () => (file('b.json', referring('/etc/hosts')), file('a.json', referring('b.json'))),
    '/etc/hosts is absolute',
  ],
  ['a missing part', () => file('a.json', referring('pet.json')), 'pet.json does not exist'],
])('%s is refused in one line', async (_name, make, words) => {
  const error = await readSpecification(make()).catch((thrown: Error) => thrown as Error & { code: string });
  expect(error).toMatchObject({ code: 'TW_OPENAPI_SPECIFICATION', message: expect.stringContaining(words) });
  expect((error as Error).message).not.toContain('\n');
});

test('a file over 64 MB is refused before it is read', async () => {
  const path = file('big.json', '{}');
  truncateSync(path, 64 * 1024 * 1024 + 1);
  await expect(readSpecification(path)).rejects.toThrow('The limit is 64 MB');
});

test('aliases that multiply are refused', async () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 9; level += 1)
    lines.push(
      `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  const path = file('bomb.yaml', `openapi: 3.0.0\npaths: {}\n${lines.join('\n')}\n`);
  await expect(readSpecification(path)).rejects.toThrow('aliases');
});

test('a link does not lead out, and a folder can be allowed', async () => {
  file('out/pet.json', { type: 'object' });
  const path = file('in/a.json', referring('link.json'));
  symlinkSync(join(folder, 'out/pet.json'), join(folder, 'in/link.json'));
  await expect(readSpecification(path)).rejects.toThrow('leads out');
  const allowed = await readSpecification(path, { allowRefs: [join(folder, 'out')] });
  expect(allowed.document.paths).toHaveProperty('/pets');
});

test('nothing is fetched', async () => {
  let requests = 0;
  const canary = createServer((_request, response) => void ((requests += 1), response.end('{}'))).listen(
    0,
    '127.0.0.1',
  );
  await new Promise((resolve) => canary.once('listening', resolve));
  const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/pet.json`;
  await expect(readSpecification(file('a.json', referring(url)))).rejects.toThrow('Nothing is fetched');
  await new Promise((resolve) => canary.close(resolve));
  expect(requests).toBe(0);
});

test('a reference inside an example is data', async () => {
  const { document } = await readSpecification(join(__dirname, 'fixtures/styles.yaml'));
  expect(JSON.stringify(document)).toContain('https://not-a-reference.example/x');
});

test('version 2.0 is converted at build', async () => {
  const path = file('a.json', {
    swagger: '2.0',
    info: { title: 'Old', version: '1' },
    host: 'api.example.com',
    basePath: '/v1',
    schemes: ['https'],
    paths: {
      '/pets': {
        get: {
          operationId: 'listPets',
          parameters: [
            { name: 'ids', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'pipes' },
          ],
          responses: { 200: { description: 'ok', schema: { type: 'array', items: { type: 'object' } } } },
        },
      },
    },
  });
  const plan = planOperations(await readSpecification(path, { convert: convertVersion2 }));
  expect(plan.baseUrl).toBe('https://api.example.com/v1');
  expect(plan.operations[0]!.arguments).toMatchObject([{ name: 'ids', style: 'pipeDelimited' }]);
});

const depot = (operation: object, more: object = {}) => ({
  openapi: '3.0.3',
  info: { title: 'Depot', version: '1' },
  paths: { '/crates': { get: { responses: {}, ...operation } } },
  ...more,
});
const planned = async (document: object, include = ['*']) => {
  const plan = planOperations(await readSpecification(document), { include });
  return { plan, tool: contractOf(plan.operations[0]!, plan) };
};
const bodyOf = (schema: unknown, required = false) => ({
  requestBody: { required, content: { 'application/json': schema === undefined ? null : { schema } } },
});

test.each([
  ['a title that is a number', depot({}, { info: { title: 2026 } }), '#/info/title is 2026'],
  ['an operationId that is a number', depot({ operationId: 7 }), '#/paths/~1crates/get/operationId is 7'],
  ['parameters without a value', depot({ parameters: null }), 'get/parameters is null'],
  ['a media type without a value', depot(bodyOf(undefined)), 'application~1json is null'],
  [
    'a property without a value',
    depot(bodyOf({ type: 'object', properties: { a: null } })),
    'properties/a is null',
  ],
  [
    'servers as an object',
    depot({}, { servers: { url: 'https://a.example' } }),
    '#/servers is read as a list',
  ],
  ['tags as a text', depot({ tags: 'crates' }), 'get/tags is read as a list'],
  ['a flag as a text', depot({ deprecated: 'true' }), 'get/deprecated is "true"'],
])('%s is read as it is meant, and the report says so', async (_name, document, words) => {
  const { plan } = await planned(document, ['GET /crates']);
  expect(plan.operations).toHaveLength(1);
  expect(reportOf(plan).notes[0]).toContain(words);
});

test('security as an object is a requirement, so the tool keeps its scopes', async () => {
  const schemes = { oauth: { type: 'oauth2', flows: {} } };
  const { plan } = await planned(
    depot({ security: { oauth: ['read'] } }, { components: { securitySchemes: schemes } }),
  );
  expect(plan.operations[0]!.scopes).toEqual(['read']);
});

test('a property that says itself that it is required is required', async () => {
  const member = { type: 'string', required: true };
  const post = { post: { responses: {}, ...bodyOf({ type: 'object', properties: { name: member } }, true) } };
  const { tool } = await planned(depot({}, { paths: { '/crates': post } }));
  expect(tool.inputSchema).toMatchObject({ properties: { name: { type: 'string' } }, required: ['name'] });
});

test.each([
  [
    'a flag that is neither',
    { parameters: [{ name: 'a', in: 'query', schema: {}, required: 'maybe' }] },
    'parameters/0/required must be true or false, and is "maybe"',
  ],
  ['a parameter without a name', { parameters: [{ in: 'query', schema: {} }] }, 'parameters/0 has no "name"'],
  [
    'a parameter in a wrong place',
    { parameters: [{ name: 'a', in: 'body', schema: {} }] },
    'parameters/0/in must be one of',
  ],
  ['a body without content', { requestBody: {} }, 'requestBody has no "content"'],
  ['a type that does not exist', bodyOf({ type: 'strng' }), 'schema/type must be one of'],
  [
    'a reference to nothing',
    bodyOf({ $ref: '#/components/schemas/Crate' }),
    '#/components/schemas/Crate is not there',
  ],
  [
    'a scheme that is not there',
    { security: [{ oauth: ['a'] }] },
    'needs #/components/securitySchemes/oauth, which is not there',
  ],
  [
    'one parameter twice',
    { parameters: ['string', 'integer'].map((type) => ({ name: 'a', in: 'query', schema: { type } })) },
    'describes the parameter "a" again',
  ],
])(
  '%s is refused in one line with its place, unless its operation is left out',
  async (_name, operation, words) => {
    const document = depot(operation, {});
    const paths = { ...document.paths, '/labels': { get: { operationId: 'getLabel', responses: {} } } };
    const error = await planned({ ...document, paths }).catch((thrown: Error) => thrown as Error);
    expect(error).toMatchObject({
      code: 'TW_OPENAPI_SPECIFICATION',
      message: expect.stringContaining(words),
    });
    expect((error as Error).message).toMatch(/^#\/\S+ [^\n]*$/);
    const { plan } = await planned({ ...document, paths }, ['getLabel']);
    expect(plan.operations).toHaveLength(1);
  },
);

test('aliases of YAML in a document of version 2.0 are read', async () => {
  const path = file(
    'aliases.yaml',
    "swagger: '2.0'\ninfo: { title: a, version: '1' }\npaths:\n  /a: { get: { responses: &r { '200': { description: ok } } } }\n  /b: { get: { responses: *r } }\n",
  );
  const plan = planOperations(await readSpecification(path, { convert: convertVersion2 }));
  expect(plan.operations).toHaveLength(2);
});

test('a reference in the place of the properties is followed, and a referred schema may be empty', async () => {
  const { tool } = await planned(
    depot(
      {},
      {
        paths: {
          '/crates': {
            post: { responses: {}, ...bodyOf({ type: 'object', properties: { $ref: '#/x-shared' } }) },
          },
        },
        'x-shared': { name: { type: 'string' }, more: { $ref: '#/components/schemas/Empty' } },
        components: { schemas: { Empty: null } },
      },
    ),
  );
  expect(tool.inputSchema.properties).toEqual({ name: { type: 'string' }, more: {} });
});
