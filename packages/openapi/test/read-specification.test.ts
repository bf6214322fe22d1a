import {
  mkdtempSync,
  mkdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertVersion2 } from '../src/read/convert-version-2';
import { planOperations } from '../src/model/plan-operations';
import { readSpecification } from '../src/read/read-specification';

let folder: string;
beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-openapi-')))));
afterEach(() => rmSync(folder, { recursive: true }));

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
  expect([...plan.outputs.values()][0]).toMatchObject({ properties: { id: { type: 'integer' } } });
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
