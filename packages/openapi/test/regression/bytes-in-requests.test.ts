import { ApiClient } from '../../src/index';
import { RecordingApi } from '../support/recording-api';

const api = new RecordingApi();
beforeAll(() => api.open());
afterAll(() => api.close());

const bytes = { type: 'string', format: 'binary' };
const text = { type: 'string', contentEncoding: 'base64' };
const object = (properties: object) => ({ type: 'object', properties });
const sends = (type: string, schema: object) => ({
  requestBody: { required: true, content: { [type]: { schema } } },
});

test.each<[string, object, object]>([
  ['application/octet-stream', { type: 'string', format: 'binary' }, { body: 'hello' }],
  ['application/json', object({ f: bytes }), { f: 'hello' }],
  ['application/json', object({ list: { type: 'array', items: bytes } }), { list: ['aGk=', '{x}'] }],
  ['application/json', bytes, { body: 'a b!' }],
  ['multipart/form-data', object({ f: { type: 'string', format: 'binary' } }), { f: 'not base64' }],
  ['application/x-www-form-urlencoded', object({ f: bytes }), { f: 'hello' }],
])('no %s is sent with a text that is not base64: %j', async (type, schema, args) => {
  const before = api.requests.length;
  const { isError, text } = await api.call(['post', '/a'], sends(type, schema), { ...args });
  expect([isError, text]).toEqual([true, expect.stringMatching(/^(?:body|f|list) is not base64\.$/)]);
  expect(api.requests).toHaveLength(before);
});

test.each<[string, object, object, string]>([
  ['application/octet-stream', { type: 'string', format: 'binary' }, { body: 'aGk=' }, 'hi'],
  ['application/json', object({ f: bytes }), { f: '_-8' }, '{"f":"/+8="}'],
  ['application/json', bytes, { body: 'aGk' }, '"aGk="'],
  ['application/x-www-form-urlencoded', object({ f: bytes }), { f: 'aGk=' }, 'f=aGk%3D'],
])('%s has bytes in its own form: %j', async (type, schema, args, body) => {
  const { request } = await api.call(['post', '/a'], sends(type, schema), { ...args });
  expect(request.body.toString()).toBe(body);
});

test.each([['application/json'], ['multipart/form-data']])(
  'a text of base64 of version 3.1 stays a text in %s, and is checked',
  async (type) => {
    const { request } = await api.call(['post', '/a'], sends(type, object({ f: text })), { f: 'aGk=' });
    expect(request.body.toString()).toContain('aGk=');
    expect(request.body.toString()).not.toContain('filename');
    const wrong = await api.call(['post', '/a'], sends(type, object({ f: text })), { f: 'hello' });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringMatching(/^Invalid arguments/) });
  },
);

test('bytes that are the whole body of JSON are base64, also in written code', async () => {
  const client = new ApiClient({ baseUrl: api.baseUrl });
  const ctx = { signal: new AbortController().signal } as never;
  await client.send({ method: 'POST', path: '/a', body: new Uint8Array([104, 105]) }, ctx);
  expect(api.requests.at(-1)!.body.toString()).toBe('"aGk="');
});
