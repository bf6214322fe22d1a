import { compileImport } from './support/compile-import';

const text = { type: 'string' };
const list = { type: 'array', items: text };
const object = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
});
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const of = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const query = (name: string, more: object = {}) => ({ name, in: 'query', schema: text, ...more });
const answers = (name: string) => ({ 200: { description: 'ok', ...json(of(name)) } });

/** Names of our imports, of our classes, and of types that TypeScript has. */
const schemas = [
  'Hunted',
  'HuntedApi',
  'HuntedTools',
  'HuntTools',
  'ApiClient',
  'CallsApi',
  'Json',
  'McpTool',
  'Promise',
  'Record',
  'Array',
  'ToolContext',
  'StyledValue',
  'integer',
  'string',
  'RequireScopes',
  'MaxOutput',
  'hunted_api',
  'Uint8Array',
  'label',
  'ListAInput',
  'Services',
  'Object',
];

test('names that are taken in the code have other names there, and the code compiles', async () => {
  const operations = schemas.map((name, index) => [
    `/s${index}`,
    {
      post: { tags: ['Hunt'], requestBody: { required: true, ...json(of(name)) }, responses: answers(name) },
    },
  ]);
  const styles = {
    tags: ['Hunted'],
    responses: answers('Hunted'),
    operationId: 'sendStyles',
    parameters: [
      { name: 'label', in: 'path', required: true, style: 'label', schema: list },
      { name: 'matrix', in: 'path', required: true, style: 'matrix', schema: list },
      query('deepObject', { style: 'deepObject', schema: object('a') }),
      query('reserved', { allowReserved: true }),
      query('asJson', { schema: undefined, ...json(object('a')) }),
      ...['undefined', 'ctx', 'this', 'await', 'integer', 'CallsApi', 'Promise', 'process'].map((name) =>
        query(name),
      ),
      ...['limit', 'user-id', 'user_id', 'userId', 'page'].map((name) => query(name)),
    ],
  };
  const beside = {
    tags: ['Hunted'],
    operationId: 'sendBeside',
    responses: answers('HuntedApi'),
    parameters: [query('body'), query('contentType'), query('body_body')],
    requestBody: { required: true, ...json(object('name', 'form', 'method')) },
  };
  const form = {
    content: {
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', properties: { commaSeparated: list, tags: list } },
        encoding: { commaSeparated: { explode: false }, tags: { explode: false } },
      },
    },
  };
  const meeting = ['list_a1', 'list_a_1', 'listA1', 'list-a-1', 'constructor', 'api', 'toString', 'services'];
  const { files, problems } = await compileImport({
    openapi: '3.1.0',
    info: { title: 'Hunted', version: '1' },
    paths: {
      ...Object.fromEntries(operations),
      '/styles/{label}/{matrix}': { get: styles },
      '/beside': { post: beside },
      '/form': {
        post: {
          ...beside,
          operationId: 'sendForm',
          parameters: [query('body'), query('commaSeparated')],
          requestBody: form,
        },
      },
      ...Object.fromEntries(
        meeting.map((operationId, index) => [
          `/m${index}`,
          { get: { operationId, tags: ['Hunted'], parameters: [query('b')], responses: answers('Hunted') } },
        ]),
      ),
    },
    components: { schemas: Object.fromEntries(schemas.map((name) => [name, object('a', 'b')])) },
  });
  expect(problems).toBe('');
  const tools = files.get('hunted-tools.ts')!;
  expect(tools).toContain('writeLabel(label)');
  expect(tools).toContain('query: { body, contentType, body_body }, body: body_body_body');
});
