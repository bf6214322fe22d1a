import { planOperations } from '../../src/model/plan-operations';
import { contractOf } from '../../src/model/tool-contract';
import { readSpecification } from '../../src/read/read-specification';
import { compileImport } from '../support/compile-import';
import { RecordingApi } from '../support/recording-api';

const api = new RecordingApi();
beforeAll(() => api.open());
afterAll(() => api.close());

/** Longer than the 64 letters that hosts allow, and alike in those. */
const [first, second] = ['', 'g'].map((end) => `x_${'abcdef'.repeat(12)}${end}`) as [string, string];
const header = `X-${'Ab'.repeat(40)}`;
const text = { type: 'string' };
const operation = {
  parameters: [
    ...[first, second].map((name) => ({ name, in: 'query', schema: text })),
    { name: header, in: 'header', schema: text },
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: { type: 'object', required: [first], properties: { [first]: text } } },
    },
  },
};
const spec = {
  openapi: '3.1.0',
  info: { title: 'Long', version: '1' },
  paths: { '/things': { post: { operationId: 'send', responses: {}, ...operation } } },
};

test('keys over 64 letters are shorter in what hosts see, and whole in the request', async () => {
  const plan = planOperations(await readSpecification(spec));
  const names = Object.keys(contractOf(plan.operations[0]!, plan).inputSchema.properties!);
  for (const name of names) expect(name).toMatch(/^\w{1,64}$/);
  const [a, b, c, body, ...others] = names as [string, string, string, string];
  expect(others).toEqual([]);
  const args = { [a]: '1', [b]: '2', [c]: '3', [body]: { [first]: '4' } };
  const { request, isError } = await api.call(['post', '/things'], operation, args);
  expect(isError).toBe(false);
  expect(request.url).toBe(`/things?${first}=1&${second}=2`);
  expect(request.headers[header.toLowerCase()]).toBe('3');
  expect(request.body.toString()).toBe(`{"${first}":"4"}`);
});

test('written code has the shorter names, too, and compiles', async () => {
  const { files, problems } = await compileImport(spec);
  expect(problems).toBe('');
  expect([...files.values()].join('')).toContain(`${first}: `);
});
