import { planOperations } from '../../src/model/plan-operations';
import { readSpecification } from '../../src/read/read-specification';
import { writeFiles } from '../../src/write/write-files';
import { RecordingApi } from '../support/recording-api';

const api = new RecordingApi();
beforeAll(() => api.open());
afterAll(() => api.close());

const text = { type: 'string' };
const object = { type: 'object', properties: { id: text } };
const answers = (schema: object) => ({ responses: { 201: { content: { 'application/json': { schema } } } } });
const asJson = (body: string) => ({ status: 201, headers: { 'content-type': 'application/json' }, body });

describe('JSON that cannot be read', () => {
  test('says that the request was carried out, and what came', async () => {
    const { isError, text: said } = await api.call(
      ['post', '/pay'],
      answers(object),
      {},
      asJson('{"id":"7",'),
    );
    expect(isError).toBe(true);
    expect(said).toBe('POST /pay was carried out. It answered 201 with JSON that cannot be read: {"id":"7",');
  });

  test.each(['created 77', '1.10', '007', '{"id": 12345678901234567890}'])(
    'is the text itself where a text is promised: %s',
    async (body) => {
      const { isError, text: said } = await api.call(['post', '/note'], answers(text), {}, asJson(body));
      expect([isError, said]).toEqual([false, body]);
    },
  );

  test('is no error of an operation that promises nothing', async () => {
    const { isError } = await api.call(['post', '/note'], { responses: {} }, {}, asJson('done'));
    expect(isError).toBe(false);
  });

  test.each(['<p>busy</p>', '[1, 2'])('is no empty page of a list: %s', async (body) => {
    const { isError, text: said } = await api.call(
      ['get', '/list'],
      list(),
      {},
      {
        status: 200,
        headers: { 'content-type': body.startsWith('<') ? 'text/html' : 'application/json' },
        body,
      },
    );
    expect(isError).toBe(true);
    expect(said).toMatch(/was carried out/);
  });
});

describe('an answer without content', () => {
  const made = { responses: { 201: { headers: { location: { schema: text } } } } };
  const empty = (headers: Record<string, string>) => ({ status: 201, headers, body: '' });

  test('says where the thing is that was made, if the specification has the header', async () => {
    const { isError, text: said } = await api.call(['post', '/c'], made, {}, empty({ location: '/c/77' }));
    expect([isError, said]).toEqual([false, '/c/77']);
    expect(await api.call(['post', '/c'], made, {}, empty({}))).toMatchObject({ isError: false, text: '' });
    const spec = { openapi: '3.1.0', info: { title: 'Any', version: '1' }, paths: { '/c': { post: made } } };
    const code = [...writeFiles(planOperations(await readSpecification(spec))).values()].join('');
    expect(code).toMatch(/Returns its address\./);
    expect(code).toMatch(/this\.api\.text\(\{ method: 'POST', path: '\/c', location: true \}, ctx\)/);
  });
});

test.each([
  ['application/vnd.ms-excel', [0xd0, 0xcf, 0x11, 0xe0], '0M8R4A=='],
  ['', [0xff, 0], '/wA='],
  ['application/vnd.ms-excel', [0x61], 'a'],
  ['text/plain; charset=iso-8859-1', [0xe9], 'é'],
])('bytes of the type "%s" that are not a text keep their values: %j', async (type, bytes, result) => {
  const operation = { responses: { 200: { content: { 'application/x-any': { schema: text } } } } };
  const answer = { headers: { ...(type !== '' && { 'content-type': type }) }, body: Buffer.from(bytes) };
  const { text: said } = await api.call(['get', '/f'], operation, {}, answer);
  expect(said).toBe(result);
});

/** @param page of the parameter that says which page */
function list(page: object = {}) {
  const parameters = [
    { name: 'page', in: 'query', schema: { type: 'integer', ...page }, description: 'The page.' },
    { name: 'per_page', in: 'query', schema: { type: 'integer', default: 5 } },
  ];
  return { parameters, ...answers({ type: 'array', items: {} }) };
}

describe('pages that are alike', () => {
  const read = async (page: object, ...pages: unknown[]) => {
    const all = [...pages, []].map((each) => ({ ...asJson(JSON.stringify(each)), status: 200 }));
    const { structured } = await api.call(['get', '/list'], list(page), {}, ...all);
    return structured;
  };
  const same = [{ state: 'up' }, { state: 'up' }];

  test('are all read where they have one item twice', async () => {
    expect(await read({ default: 1 }, same, same)).toEqual([...same, ...same]);
    expect(await read({ default: 1 }, [1, 1, 2], [1, 1, 2])).toHaveLength(6);
  });

  test('are one page where the API does not know the parameter', async () => {
    expect(await read({ default: 1 }, ['a', 'b'], ['a', 'b'])).toEqual(['a', 'b']);
  });

  test('are read once where the second request asks for the first page again', async () => {
    expect(await read({}, ['a', 'a'], ['a', 'a'], ['b', 'b'])).toEqual(['a', 'a', 'b', 'b']);
  });
});
