const annotations = { readOnlyHint: true, openWorldHint: false };

/** A tool as another server publishes it. */
const toolOf = (id: number) => ({
  name: `tool_${id}`,
  description: `Does ${id}. Returns a text.`,
  annotations,
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', minLength: 1, description: `the id of ${id}` },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      page: {
        type: 'object',
        properties: { title: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
        required: ['title'],
      },
    },
    required: ['id'],
    additionalProperties: false,
  },
  handler: () => 'done',
});

export const toolsOf = (count: number) => Array.from({ length: count }, (_, id) => toolOf(id));

/** How many operations of GitHub share a component: 1,080 use some 900 of them, and many of them the same. */
const PER_COMPONENT = 1.2;
const FIELDS = 24;

/** A specification of OpenAPI in the proportions of that of GitHub, which has 1,080 operations and 12 MB. */
export function specificationOf(operations: number): object {
  const components = Math.ceil(operations / PER_COMPONENT);
  const paths = Object.fromEntries(
    Array.from({ length: operations }, (_, id) => [
      `/owners/{owner}/things${id}/{id}`,
      pathOf(id, components),
    ]),
  );
  const schemas = Object.fromEntries(
    Array.from({ length: components }, (_, id) => [`thing${id}`, componentOf(id, components)]),
  );
  return {
    openapi: '3.0.3',
    info: { title: 'Things', version: '1.0.0' },
    servers: [{ url: 'https://api.example.org' }],
    paths,
    components: { schemas },
  };
}

const text = (description: string) => ({ type: 'string', description });

const parameter = (name: string, place: 'path' | 'query', schema: object) => ({
  name,
  in: place,
  required: place === 'path',
  description: `the ${name}`,
  schema,
});

function pathOf(id: number, components: number) {
  const reference = { $ref: `#/components/schemas/thing${id % components}` };
  const parameters = [
    parameter('owner', 'path', { type: 'string' }),
    parameter('id', 'path', { type: 'integer', minimum: 1 }),
    parameter('page', 'query', { type: 'integer', default: 1 }),
    parameter('per_page', 'query', { type: 'integer', default: 30, maximum: 100 }),
  ];
  const answer = { description: 'found', content: { 'application/json': { schema: reference } } };
  const operation = {
    operationId: `things/act-${id}`,
    summary: `Act on thing ${id}`,
    description: `Acts on thing ${id} of an owner, and answers with it. The owner must have let the caller do so.`,
    tags: [`group${id % 50}`],
    parameters,
    responses: { 200: answer },
  };
  if (id % 2 === 0) return { get: operation };
  const body = {
    type: 'object',
    properties: { title: text('what it is called'), body: text('what it says'), of: reference },
    required: ['title'],
  };
  return { patch: { ...operation, requestBody: { content: { 'application/json': { schema: body } } } } };
}

/** Components name others, so that each leads to a few more. */
function componentOf(id: number, components: number) {
  const fields = Array.from({ length: FIELDS }, (_, field) => [
    `field_${field}`,
    text(`field ${field} of ${id}`),
  ]);
  const others = id % 4 === 3 ? {} : { next: { $ref: `#/components/schemas/thing${(id + 1) % components}` } };
  return { type: 'object', required: ['field_0'], properties: { ...Object.fromEntries(fields), ...others } };
}
