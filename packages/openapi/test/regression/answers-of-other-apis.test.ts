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
