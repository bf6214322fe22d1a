import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { planOperations } from '../../src/model/plan-operations';
import { contractOf } from '../../src/model/tool-contract';
import { readSpecification } from '../../src/read/read-specification';

const text = { type: 'string' };
const Pet = { type: 'object', required: ['name'], properties: { name: text } };
const specification = (schema: object, schemas: object = {}, more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Any', version: '1' },
  components: { schemas },
  ...more,
  paths: {
    '/a': {
      post: {
        operationId: 'add',
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: { 200: { description: 'ok' } },
      },
      get: { operationId: 'find', responses: { 200: { description: 'ok' } } },
    },
  },
});

async function argumentsOf(document: object | string) {
  const plan = planOperations(await readSpecification(document));
  return contractOf(
    plan.operations.find(({ toolName }) => toolName === 'add')!,
    plan,
  ).inputSchema;
}

/** The same document as a file, which another reader parses. */
async function withFile<T>(document: object, use: (path: string) => Promise<T>): Promise<T> {
  const folder = temporaryFolder();
  const path = join(folder, 'api.yaml');
  writeFileSync(path, stringify(document));
  return await use(path);
}

test.each<[string, object, object]>([
  ['an anchor', { $ref: '#pet' }, { Pet: { $anchor: 'pet', ...Pet } }],
  ['a whole $id', { $ref: 'https://zoo.example/pet' }, { Pet: { $id: 'https://zoo.example/pet', ...Pet } }],
  [
    'an $id with a pointer',
    { $ref: 'https://zoo.example/all#/$defs/Pet' },
    { All: { $id: 'https://zoo.example/all', $defs: { Pet } } },
  ],
  [
    'an $id with an anchor',
    { $ref: 'https://zoo.example/all#pet' },
    { All: { $id: 'https://zoo.example/all', $defs: { Any: { $anchor: 'pet', ...Pet } } } },
  ],
  [
    'an $id that is relative to another',
    { $ref: 'https://zoo.example/pet' },
    { All: { $id: 'https://zoo.example/all', $defs: { Any: { $id: 'pet', ...Pet } } } },
  ],
  ['a dynamic anchor', { $dynamicRef: '#pet' }, { Pet: { $dynamicAnchor: 'pet', ...Pet } }],
])('a schema may be named by %s', async (_name, schema, schemas) => {
  const document = specification(schema, schemas);
  const before = JSON.stringify(document);
  await expect(argumentsOf(document)).resolves.toMatchObject({ required: ['name'] });
  expect(JSON.stringify(document)).toBe(before);
  const ofFile = await withFile(document, argumentsOf);
  expect(ofFile).toMatchObject({ required: ['name'] });
});

test.each<[string, object, object, string]>([
  ['an anchor that is not there', { $ref: '#pet' }, {}, '#pet is not there, and'],
  ['the document', { $ref: '#' }, {}, 'refers to #, which is a document and not a schema'],
  ['the info', { $ref: '#/info' }, {}, '#/info, which is an info and not a schema'],
  [
    'an operation',
    { $ref: '#/paths/~1a/get' },
    {},
    '#/paths/~1a/get, which is an operation and not a schema',
  ],
  [
    'a circle',
    { $ref: '#/components/schemas/A' },
    { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } },
    'refers to #/components/schemas/A, which is a circle of references',
  ],
  [
    'itself',
    { $ref: '#/components/schemas/A' },
    { A: { $ref: '#/components/schemas/A' } },
    'which is a circle of references',
  ],
])(
  'a body that refers to %s is a mistake, and other operations are read',
  async (_name, schema, schemas, message) => {
    const document = specification(schema, schemas);
    await expect(argumentsOf(document)).rejects.toThrow(message);
    const plan = planOperations(await readSpecification(document), { exclude: ['add'] });
    expect(plan.operations.map(({ toolName }) => toolName)).toEqual(['find']);
  },
);

test.each([
  ['other.yaml#pet', 'names an anchor of another file'],
  ['http://[', 'is no address'],
])('the reference %s of a file is named', async ($ref, message) => {
  await withFile(specification({ $ref }), async (path) => {
    await expect(readSpecification(path)).rejects.toThrow(`The reference "${$ref}" ${message}`);
  });
});
