import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { planOperations } from '../../src/model/plan-operations';
import { contractOf } from '../../src/model/tool-contract';
import { readSpecification } from '../../src/read/read-specification';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));

const read = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return readSpecification(join(folder, name));
};
const yaml = (text: string) => read('api.yaml', `openapi: 3.0\ninfo: { title: Keys, version: '1' }\n${text}`);
const argumentsOf = async (reading: ReturnType<typeof readSpecification>) => {
  const plan = planOperations(await reading, { include: ['*'] });
  return Object.fromEntries(
    plan.operations.map((each) => [each.key, contractOf(each, plan).inputSchema.properties]),
  );
};

test('merge keys are applied in paths, operations and parameters, also one behind another', async () => {
  const found = await argumentsOf(
    yaml(`x-name: &name { name: a, in: query, schema: { type: string } }
x-operation: &operation { responses: { '200': { description: ok } }, parameters: [*name] }
paths:
  /one: &one { get: { <<: *operation } }
  /two: { <<: *one, post: { <<: *operation, parameters: [{ <<: *name, name: b }] } }
`),
  );
  const text = { type: 'string' };
  expect(found).toEqual({ 'GET /one': { a: text }, 'GET /two': { a: text }, 'POST /two': { b: text } });
});

test('a member of JSON may have the name of a merge key', async () => {
  const schema = {
    type: 'object',
    properties: { body: { type: 'object', properties: { '<<': { type: 'string' } } } },
  };
  const post = {
    responses: {},
    requestBody: { required: true, content: { 'application/json': { schema } } },
  };
  const document = { openapi: '3.0.3', info: { title: 'Keys', version: '1' }, paths: { '/one': { post } } };
  const found = await argumentsOf(read('api.json', JSON.stringify(document)));
  expect(found['POST /one']).toMatchObject({ body: { properties: { '<<': { type: 'string' } } } });
});

test.each(['text', '[*operation, text]', ''])(
  'a merge key that names no object (%j) is refused in one line with its place',
  async (key) => {
    const reading = yaml(`x-operation: &operation { responses: {} }
paths:
  /one/{a}:
    get:
      <<: ${key}
      responses: {}
`);
    await expect(reading).rejects.toThrow(
      '#/paths/~1one~1{a}/get has a merge key "<<" that names no object.',
    );
  },
);
