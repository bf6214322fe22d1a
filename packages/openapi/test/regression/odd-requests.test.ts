import { planOperations } from '../../src/model/plan-operations';
import { contractOf } from '../../src/model/tool-contract';
import { Specification } from '../../src/read/specification';
import { RecordingApi } from '../support/recording-api';

const api = new RecordingApi();
beforeAll(() => api.open());
afterAll(() => api.close());

const text = { type: 'string' };
const object = (properties: object) => ({ type: 'object', properties });
const body = (type: string, schema: object) => ({
  requestBody: { required: true, content: { [type]: { schema } } },
});
const file = body('multipart/form-data', object({ file: { type: 'string', format: 'binary' } }));

test.each([
  ['query', '/a', 'url', '/a?q=a%20b%22c'],
  ['path', '/a/{q}', 'url', '/a/a%20b%22c'],
  ['header', '/a', 'q', 'a b"c'],
  ['cookie', '/a', 'cookie', 'q=a%20b%22c'],
])('a parameter of text/plain in the %s has no quotes of its own', async (place, path, at, sent) => {
  const parameters = [
    { name: 'q', in: place, required: true, content: { 'Text/Plain; charset=utf-8': { schema: text } } },
  ];
  const { request } = await api.call(['get', path], { parameters }, { q: 'a b"c' });
  expect(at === 'url' ? request.url : request.headers[at]).toBe(sent);
});

test('a query parameter "body" stands beside a body that is one argument', async () => {
  const operation = {
    parameters: ['body', 'body_body'].map((name) => ({ name, in: 'query', schema: text })),
    ...body('application/json', { type: 'array', items: text }),
  };
  const args = { body: 'q', body_body: 'r', body_body_body: ['x'] };
  const { request } = await api.call(['post', '/a'], operation, args);
  expect([request.url, request.body.toString()]).toEqual(['/a?body=q&body_body=r', '["x"]']);
});

const moved = (status: number, location: string) => ({ status, headers: { location } });

test('a file follows two redirects on its own origin', async () => {
  const { request } = await api.call(
    ...([['post', '/a'], file, { file: 'aGk=' }] as const),
    moved(307, '/b'),
    moved(308, 'c?x=1'),
  );
  expect([request.method, request.url]).toEqual(['POST', '/c?x=1']);
  expect(request.body.toString()).toContain('\r\n\r\nhi\r\n');
});

test.each([
  ['to another origin', [moved(307, 'http://127.0.0.1:1/b')], 1, 'was sent to another address'],
  ['for ever', Array.from({ length: 30 }, () => moved(307, '/b')), 6, 'answered 307'],
  ['to nowhere', [{ status: 307, headers: {} }], 1, 'answered 307'],
])('a POST that is sent %s ends as an error', async (_name, answers, count, words) => {
  const before = api.requests.length;
  const { isError, text: said } = await api.call(['post', '/a'], file, { file: 'aGk=' }, ...answers);
  expect([isError, api.requests.length - before]).toEqual([true, count]);
  expect(said).toContain(words);
});

const json = {
  responses: {
    200: { description: 'ok', content: { 'application/json': { schema: object({ name: text }) } } },
  },
};
const latin = (value: string) => Buffer.from(value, 'latin1');

test.each([
  ['charset="iso-8859-1"', latin('{"name":"Café"}')],
  ['Charset=LATIN1', latin('{"name":"Café"}')],
  ['charset=windows-1252', latin('{"name":"Café"}')],
  ['charset=utf-16le', Buffer.from('{"name":"Café"}', 'utf16le')],
])('an answer with %s is read', async (charset, content) => {
  const headers = { 'content-type': `application/json; ${charset}` };
  const { structured } = await api.call(['get', '/a'], json, {}, { headers, body: content });
  expect(structured).toEqual({ name: 'Café' });
});

test('the words of an error in Latin-1 are read', async () => {
  const headers = { 'content-type': 'application/json; charset=iso-8859-1' };
  const answer = { status: 400, headers, body: latin('{"message":"Café"}') };
  expect((await api.call(['get', '/a'], json, {}, answer)).text).toContain('Bad Request: Café');
});

const argumentsOf = (operation: object) => {
  const plan = planOperations(
    new Specification({
      openapi: '3.0.3',
      info: { title: 'Any', version: '1' },
      paths: { '/a': { get: { responses: {}, ...operation } } },
    } as never),
    { include: ['*'] },
  );
  return contractOf(plan.operations[0]!, plan).inputSchema.properties;
};

test('headers of the connection, and those that the client writes itself, are no arguments', () => {
  const names = [
    'content-length',
    'CONNECTION',
    'Keep-Alive',
    'Trailer',
    'Accept',
    'Accept-Encoding',
    'Content-Type',
    'Authorization',
    'X-Own',
  ];
  const parameters = names.map((name) => ({ name, in: 'header', schema: text }));
  expect(Object.keys(argumentsOf({ parameters })!)).toEqual(['x_own']);
});

test('formats that servers check are those of the tool, and no others', () => {
  const formats = ['uri-reference', 'uri-template', 'date-time', 'duration', 'regex', 'own'];
  const parameters = formats.map((format) => ({
    name: format,
    in: 'query',
    schema: { type: 'string', format },
  }));
  const checked = Object.values(argumentsOf({ parameters })!).map(
    (each) => (each as { format?: string }).format,
  );
  expect(checked).toEqual(['uri-reference', 'uri-template', 'date-time', undefined, undefined, undefined]);
});
