import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { silentLogger } from '@toolwright/core/ports';
import { openApiTools } from '../../src/index';
import { planOperations } from '../../src/model/plan-operations';
import { readSpecification } from '../../src/read/read-specification';
import { RecordingApi } from '../support/recording-api';

const api = new RecordingApi();
beforeAll(() => api.open());
afterAll(() => api.close());

// A mark of direction, and a mark of order as the first column of a table has it.
const [LEFT, MARK] = ['\u200e', '\ufeff'];
const text = { type: 'string' };
const query = (name: string, schema: object) => ({ name, in: 'query', schema });
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const body = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } });
const answers = (schema: object) => ({
  responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
});
const many = Array.from({ length: 90 }, (_, index) => `${LEFT}${index}`);

const places: Record<string, object> = {
  'an allowed value': { parameters: [query('a', { ...text, enum: [`${LEFT}ltr`, 'x'] })] },
  'an example of many values': { parameters: [query('a', { ...text, enum: many })] },
  'the only value': body(object({ a: { const: `${LEFT}x` } })),
  'a default': { parameters: [query('a', { ...text, default: `${LEFT}x` })] },
  'a pattern': { parameters: [query('a', { ...text, pattern: `^${LEFT}x` })] },
  'a member of a body': body(object({ [`${MARK}id`]: text, a: text }, { required: [`${MARK}id`] })),
  'a member that is only required': body(object({ a: text }, { required: [`${MARK}id`] })),
  'a value of one of some bodies': body({
    oneOf: [object({ a: { const: `${LEFT}k` } }, { required: ['a'] }), object({ b: text })],
  }),
  'a member of an answer': answers(object({ [`${MARK}id`]: text, name: text })),
  'the name of a parameter': { parameters: [query(`${LEFT}a`, text)] },
};

test.each(Object.keys(places))('%s with an invisible character takes no tool away', async (place) => {
  const sound = { operationId: 'sound', responses: {} };
  const odd = { operationId: 'odd', responses: {}, ...places[place] };
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Any', version: '1' },
    paths: { '/a': { post: odd }, '/b': { get: sound } },
  };
  const server = await createMcpServer({
    name: 'any',
    version: '1.0.0',
    services: [],
    audit: false,
    logger: silentLogger,
  });
  try {
    const tools = await openApiTools(server, { spec, baseUrl: api.baseUrl, retries: 0 });
    expect(tools).toEqual(['odd', 'sound']);
    expect(JSON.stringify(await (await connect(server)).tools())).not.toMatch(/[\u200e\ufeff]/);
  } finally {
    await server.close();
  }
  const { notes } = planOperations(await readSpecification(spec));
  // The name of a parameter has a form of its own, and nothing is left out.
  const isNoted = place !== 'the name of a parameter';
  expect(notes).toEqual(isNoted ? [expect.stringContaining('invisible characters')] : []);
  expect(notes.join()).not.toMatch(/[\u200e\ufeff]/);
});

test('a value with an invisible character can be sent', async () => {
  const a = query('a', { ...text, enum: [`${LEFT}ltr`, 'x'] });
  const { request } = await api.call(['get', '/a'], { parameters: [a] }, { a: `${LEFT}ltr` });
  expect(request.url).toBe(`/a?a=${encodeURIComponent(LEFT)}ltr`);
});
