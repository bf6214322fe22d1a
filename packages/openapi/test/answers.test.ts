import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { silentLogger } from '@toolwright/core/ports';
import { openApiTools } from '../src/index';
import type { OpenApiDocument } from '../src/read/openapi-document';
import { AnsweringApi } from './support/answering-api';
import { checkAnswers } from './support/check-answers';
import { randomNumbers, SchemaGenerator } from './support/generate-answers';

const SEED = 20_261_128;
const RANDOM_SCHEMAS = 60;

const api = new AnsweringApi();
let baseUrl: string;
beforeAll(async () => {
  baseUrl = await api.open();
});
afterAll(() => api.close());

/** What a caller gets where the API answers with a value that its schema allows. */
async function arrived(schema: object, value: unknown, schemas: object = {}): Promise<unknown> {
  const content = { 'application/json': { schema } };
  const spec = {
    openapi: '3.0.3',
    info: { title: 'Odd', version: '1' },
    components: { schemas },
    paths: { '/value': { get: { responses: { 200: { description: 'ok', content } } } } },
  };
  const server = await createMcpServer({
    name: 'odd',
    version: '1.0.0',
    services: [],
    audit: false,
    logger: silentLogger,
  });
  try {
    const [name] = await openApiTools(server, { spec, baseUrl });
    api.answer = JSON.stringify(value);
    const result = await (await connect(server)).call(name!, {});
    return result.isError ? result.content : result.structuredContent;
  } finally {
    await server.close();
  }
}

const [text, whole] = [{ type: 'string' }, { type: 'integer' }];
const list = (items?: unknown) => ({ type: 'array', ...(items !== undefined && { items }) });
const object = (properties: object) => ({ type: 'object', properties });
const numbers = (levels: number): object => (levels === 0 ? { type: 'number' } : list(numbers(levels - 1)));
const geometry = (type: string, levels: number) =>
  object({ type: { type: 'string', enum: [type] }, coordinates: numbers(levels) });
const nested = (levels: number): object =>
  levels === 0 ? object({ id: whole }) : object({ part: nested(levels - 1) });
const nestedValue = (levels: number): object =>
  levels === 0 ? { id: 7 } : { part: nestedValue(levels - 1) };

test.each<[string, object, unknown]>([
  ['a list of anything', list({}), [1, 'a', { b: [null, 2] }, [3], true]],
  ['a list that does not say of what', list(), ['a', 2]],
  ['a list of anything in an object', object({ values: list({}) }), { values: ['a', 1, [2]] }],
  ['a list of values of several types', list({ enum: ['a', 1, true] }), ['a', 1, true]],
  ['a value of several types', object({ id: whole, kind: { enum: ['a', 1] } }), { id: 1, kind: 1 }],
  ['a tuple', { type: 'array', prefixItems: [text, whole], items: false }, ['a', 1]],
  ['a list of tuples', object({ rows: list({ prefixItems: [text, whole] }) }), { rows: [['a', 1]] }],
  [
    'a point',
    { oneOf: [geometry('Point', 1), geometry('MultiPolygon', 4)] },
    { type: 'Point', coordinates: [1, 2] },
  ],
  [
    'polygons',
    { oneOf: [geometry('Point', 1), geometry('Polygon', 3), geometry('MultiPolygon', 4)] },
    { type: 'MultiPolygon', coordinates: [[[[1, 2]]]] },
  ],
  ['lists in lists, seven deep', numbers(7), [[[[[[[1.5]]]]]]]],
  ['objects in objects, nine deep', nested(9), nestedValue(9)],
  [
    'alternatives of which one says nothing',
    object({ id: whole, any: { anyOf: [text, {}] } }),
    { id: 1, any: [2] },
  ],
  ['a list with null', list({ type: 'integer', nullable: true }), [1, null, 3]],
  ['a list of objects and null', list({ ...object({ id: whole }), nullable: true }), [{ id: 1 }, null]],
  ['a list with null of 3.1', list({ type: ['integer', 'null'] }), [1, null, 3]],
  ['a list with null as an alternative', list({ anyOf: [whole, { type: 'null' }] }), [null, 3]],
  ['a list of nothing but null', list({ type: 'null' }), [null]],
  ['a list of values with null', list({ type: 'string', enum: ['a', null], nullable: true }), ['a', null]],
  ['lists with null in a list', list(list({ type: 'number', nullable: true })), [[null, 1], []]],
  ['null', { ...object({ id: whole }), nullable: true }, null],
  ['true', { type: 'boolean' }, true],
  ['a map beside properties', { ...object({ id: whole }), additionalProperties: text }, { id: 1, a: 'b' }],
  ['a map by patterns', { type: 'object', patternProperties: { '^x-': whole } }, { 'x-a': 1 }],
  [
    'a member named constructor',
    { ...object({ constructor: text }), required: ['constructor'] },
    { constructor: 'a' },
  ],
])('%s arrives as it was sent', async (_name, schema, value) => {
  expect(await arrived(schema, value)).toEqual(value);
});

test('answers of random schemas arrive as they were sent', async () => {
  const schemas = new SchemaGenerator(randomNumbers(SEED));
  const paths = Object.fromEntries(
    Array.from({ length: RANDOM_SCHEMAS }, (_, index) => {
      const content = { 'application/json': { schema: schemas.schema() } };
      return [`/value-${index}`, { get: { responses: { 200: { description: 'ok', content } } } }];
    }),
  );
  const document = { openapi: '3.1.0', info: { title: 'Random', version: '1' }, paths } as OpenApiDocument;
  const { sent, wrong } = await checkAnswers(document, { seed: SEED, answers: 3 });
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(sent).toBeGreaterThan(RANDOM_SCHEMAS);
});
