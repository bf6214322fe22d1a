import { planOperations } from '../src/model/plan-operations';
import { contractOf } from '../src/model/tool-contract';
import type { OpenApiDocument } from '../src/read/openapi-document';
import { buildRequest } from '../src/run/build-request';
import { requestOf } from '../src/run/openapi-tools';
import { readSpecification } from '../src/read/read-specification';
import { Specification } from '../src/read/specification';

/** The contract of the tool that an operation becomes, from its body. */
function toolWith(schema: object, more: object = {}, ofDocument: object = {}) {
  const operation = {
    operationId: 'createThing',
    summary: 'Create a thing',
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 200: { description: 'ok' } },
  };
  const document = {
    openapi: '3.0.3',
    paths: { '/things': { post: { ...operation, ...more } } },
    ...ofDocument,
  };
  const plan = planOperations(new Specification(document as OpenApiDocument));
  return contractOf(plan.operations[0]!, plan);
}
const text = { type: 'string' };

test('a member that is required and not described can be sent', () => {
  const { inputSchema } = toolWith({ type: 'object', properties: { name: text }, required: ['team'] });
  expect(inputSchema).toMatchObject({ properties: { team: {} }, required: ['team'] });
});

test('a member that is required and forbidden is left out', () => {
  const body = {
    type: 'object',
    properties: { name: text },
    required: ['team'],
    additionalProperties: false,
  };
  expect(toolWith(body).inputSchema.required).toBeUndefined();
});

test('of a very long list of values, examples are shown', () => {
  const values = Array.from({ length: 200 }, (_, index) => `value-${index}`);
  const code = { type: 'string', enum: values };
  const { inputSchema } = toolWith({
    type: 'object',
    properties: { code, codes: { type: 'array', items: code } },
  });
  const examples = ['value-0', 'value-1', 'value-2'];
  expect(inputSchema.properties).toMatchObject({
    code: { type: 'string', examples },
    codes: { examples: [examples.slice(0, 1)] },
  });
});

test('values of a text that are written as numbers are examples of texts', () => {
  const { inputSchema } = toolWith({
    type: 'object',
    properties: { kind: { type: 'string', enum: [1, 2] } },
  });
  expect(inputSchema.properties!['kind']).toEqual({ type: 'string', examples: ['1', '2'] });
});

test('a default that its own schema refuses is left out', () => {
  const day = { type: 'string', format: 'date', default: '' };
  const size = { type: 'integer', maximum: 10, default: 100 };
  const { inputSchema } = toolWith({ type: 'object', properties: { day, size } });
  expect(inputSchema.properties).toEqual({
    day: { type: 'string', format: 'date' },
    size: { type: 'integer', maximum: 10 },
  });
});

test('a value of JSON that contains itself is read', () => {
  const list = { type: 'array', items: { $ref: '#/components/schemas/List' } };
  const json = { 'application/json': { schema: { $ref: '#/components/schemas/Answer' } } };
  const document = {
    openapi: '3.1.0',
    paths: { '/a': { get: { responses: { 200: { description: 'ok', content: json } } } } },
    components: {
      schemas: { List: list, Answer: { type: 'object', properties: { value: list, id: text } } },
    },
  };
  const plan = planOperations(new Specification(document as OpenApiDocument));
  expect(plan.operations).toHaveLength(1);
});

test('what stands beside a reference counts', () => {
  const schema = { $ref: '#/components/schemas/Base', required: ['name'] };
  const components = { schemas: { Base: { type: 'object', properties: { name: text } } } };
  const { inputSchema } = toolWith(schema, {}, { components });
  expect(inputSchema.required).toEqual(['name']);
});

test('a mapping to files that are not there gives no value', () => {
  const kind = { type: 'object', required: ['type'], properties: { type: { enum: ['on', 'off'] } } };
  const schema = {
    oneOf: [{ $ref: '#/x-kinds/0' }],
    discriminator: { propertyName: 'type', mapping: { on: 'models/on.yml' } },
  };
  const { inputSchema } = toolWith(
    { type: 'object', properties: { action: schema } },
    {},
    { 'x-kinds': [kind] },
  );
  expect(JSON.stringify(inputSchema)).toContain('"enum":["on","off"]');
});

test('a member that is forbidden is no argument, and null is null', () => {
  const { inputSchema } = toolWith({ type: 'object', properties: { a: false, b: { type: 'null' } } });
  expect(inputSchema.properties).toEqual({ b: { type: 'null' } });
});

test.each<[string, object, object]>([
  ['any value', { anyOf: [true, text] }, {}],
  ['no value', { anyOf: [false, text] }, text],
  ['any value, with others', { allOf: [true, text] }, text],
  ['the first item of a tuple', { type: 'array', prefixItems: [true, false] }, { type: 'array' }],
])('true and false in a list of schemas are schemas: %s', async (_name, schema, expected) => {
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } };
  const requestBody = { content: { 'application/json': { schema } } };
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Any', version: '1' },
    paths: { '/a': { post: { operationId: 'add', requestBody, responses } } },
  };
  const plan = planOperations(await readSpecification(spec));
  const { inputSchema } = contractOf(plan.operations[0]!, plan);
  expect(inputSchema.properties!['body']).toMatchObject(expected);
});

test('what all of many alternatives require is required', () => {
  const rule = (type: string) => ({
    type: 'object',
    required: ['type'],
    properties: { type: { enum: [type] }, [type]: text },
  });
  const kinds = Array.from({ length: 12 }, (_, index) => `k${index}`);
  const { inputSchema } = toolWith({
    type: 'object',
    properties: { rules: { type: 'array', items: { oneOf: kinds.map(rule) } } },
  });
  expect(inputSchema.properties!['rules']!.items).toMatchObject({
    properties: { type: { enum: kinds } },
    required: ['type'],
  });
});

test('where one of several arguments is needed, the description says it', () => {
  const body = {
    type: 'object',
    properties: { state: text, assignees: text },
    anyOf: [{ required: ['state'] }, { required: ['assignees'] }],
  };
  expect(toolWith(body).description).toBe('Create a thing. Needs state, or assignees.');
});

test('a member that two parts describe has what both say', () => {
  const { inputSchema } = toolWith({
    allOf: [
      { type: 'object', properties: { type: text } },
      { type: 'object', properties: { type: { enum: ['a', 'b'] } } },
    ],
  });
  expect(inputSchema.properties!['type']).toEqual({ enum: ['a', 'b'] });
});

test('an operation with HEAD has no result, and an answer that is a text may be empty', () => {
  const answer = {
    responses: { 200: { description: 'ok', content: { 'application/json': { schema: text } } } },
  };
  const item = { head: { operationId: 'head', ...answer }, get: { operationId: 'get', ...answer } };
  const plan = planOperations(
    new Specification({ openapi: '3.0.3', paths: { '/things': item } } as OpenApiDocument),
  );
  expect(plan.operations.map(({ method, result }) => [method, result.kind])).toEqual([
    ['GET', 'text'],
    ['HEAD', 'none'],
  ]);
});

test('a list among other answers stays a list', () => {
  const schema = {
    oneOf: [
      { type: 'array', items: text },
      { type: 'object', properties: { path: text } },
    ],
  };
  const { outputSchema } = toolWith(
    {},
    { responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } },
  );
  expect(outputSchema!.anyOf).toContainEqual({ type: 'array', items: text });
});

test('of alternatives that are too long, each keeps what it needs', () => {
  const members = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `member${index}`,
      { type: 'string', description: 'x'.repeat(80) },
    ]),
  );
  const change = (action: string, needed: string) => ({
    type: 'object',
    properties: { action: { enum: [action] }, ...members },
    required: ['action', needed],
  });
  const { inputSchema } = toolWith({
    type: 'object',
    properties: {
      changes: { type: 'array', items: { oneOf: [change('ADD', 'member0'), change('DROP', 'member1')] } },
    },
  });
  expect(inputSchema.properties!['changes']!.items).toEqual({
    anyOf: [
      expect.objectContaining({ required: ['action', 'member0'], additionalProperties: true }),
      expect.objectContaining({ required: ['action', 'member1'], additionalProperties: true }),
    ],
  });
});

test('a body that needs any one of its members is an argument of its own', () => {
  const { inputSchema } = toolWith({ type: 'object', properties: { a: text, b: text }, minProperties: 1 });
  expect(inputSchema.properties).toMatchObject({
    body: { properties: { a: text, b: text }, minProperties: 1 },
  });
  expect(inputSchema.required).toEqual(['body']);
});

test('a query that is a number or an object of bounds keeps its style', () => {
  const bounds = { type: 'object', properties: { gt: { type: 'integer' } } };
  const created = { name: 'created', in: 'query', style: 'deepObject', explode: true };
  const parameter = { ...created, schema: { anyOf: [bounds, { type: 'integer' }] } };
  const get = { operationId: 'list', parameters: [parameter], responses: { 204: { description: 'ok' } } };
  const document = { openapi: '3.0.3', paths: { '/things': { get } } };
  const [planned] = planOperations(new Specification(document as OpenApiDocument)).operations;
  expect(planned!.arguments).toMatchObject([{ name: 'created', style: 'deepObject' }]);
  const request = requestOf(planned!, { created: { gt: 5 } }, new Map());
  expect(buildRequest('https://api.example', request).url.search).toBe('?created[gt]=5');
});
