import type { ToolContext } from '@toolwright/core';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiClient, type ApiClientOptions, type ApiRequest, deepObject, reserved } from '../src/index';

type ApiAnswer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let baseUrl: string;
let answers: ApiAnswer[];
let seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];

beforeEach(async () => {
  [answers, seen] = [[], []];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      seen.push({ method: request.method!, url: request.url!, headers: request.headers, body });
      (answers.shift() ?? json({}))(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): ApiAnswer =>
  (_request, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(value));
const ctx = (signal = new AbortController().signal) => ({ signal }) as unknown as ToolContext;
const client = (options: Partial<ApiClientOptions> = {}) =>
  new ApiClient({ baseUrl, retryDelay: 0, ...options });
const get = (more: Partial<ApiRequest> = {}): ApiRequest => ({ method: 'GET', path: '/pets', ...more });

test('credentials come from the options, or from a function of the call', async () => {
  await client({ token: 'a' }).call(get(), ctx());
  await client({ token: async ({ signal }) => (signal ? 'of-caller' : undefined) }).call(get(), ctx());
  await client({ basic: { username: 'ann', password: 'b' } }).call(get(), ctx());
  await client({ apiKey: { in: 'header', name: 'X-Key', value: 'k' } }).call(get(), ctx());
  await client({ apiKey: { in: 'query', name: 'key', value: 'k k' } }).call(get({ query: { a: 1 } }), ctx());
  await client({ apiKey: { in: 'cookie', name: 'key', value: 'k' } }).call(get({ cookies: { a: 1 } }), ctx());
  await client({ token: undefined }).call(get(), ctx());
  expect(seen.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer a',
    'Bearer of-caller',
    `Basic ${Buffer.from('ann:b').toString('base64')}`,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(seen[3]!.headers['x-key']).toBe('k');
  expect(seen[4]!.url).toBe('/pets?a=1&key=k+k');
  expect(seen[5]!.headers.cookie).toBe('a=1; key=k');
});

test('the error of an API reaches the model with its status and its own words, in one line', async () => {
  answers = [
    json({ error: { message: 'No such\u0007 pet.\nTry 3.' } }, 404),
    json({ errors: [{ detail: 'name is short' }, { detail: 'age is odd' }] }, 422),
    (_request, response) =>
      void response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>secret stack</h1>'),
  ];
  const message = (method = 'POST') =>
    client()
      .call(get({ method, path: '/pets/{id}', params: { id: 7 } }), ctx())
      .catch((error: Error) => error);
  expect(await message()).toMatchObject({
    message: 'POST /pets/{id} answered 404 Not Found: No such pet. Try 3.',
    meta: { status: 404 },
    code: 'TW_OPENAPI_RESPONSE',
  });
  expect(await message()).toMatchObject({ message: expect.stringContaining('name is short; age is odd') });
  expect(await message()).toMatchObject({ message: 'POST /pets/{id} answered 500 Internal Server Error.' });
});

test('a request that may be repeated is repeated, and no other', async () => {
  answers = [json({}, 503), json({}, 429, { 'retry-after': '0' }), json({ id: 1 })];
  expect(await client().call(get(), ctx())).toEqual({ id: 1 });
  answers = [json({ message: 'later' }, 503), json({ id: 1 })];
  await expect(client().call(get({ method: 'POST' }), ctx())).rejects.toThrow('503');
  answers = [json({}, 503), json({}, 503), json({}, 503), json({}, 503)];
  await expect(client().call(get(), ctx())).rejects.toThrow('503');
  expect(seen).toHaveLength(3 + 1 + 3);
});

test('an API that wants a long pause is not waited for', async () => {
  answers = [json({ message: 'slow down' }, 429, { 'retry-after': '3600' })];
  await expect(client().call(get(), ctx())).rejects.toThrow('429 Too Many Requests: slow down');
});

test('a lost connection is tried again, and then said in plain words', async () => {
  const cut: ApiAnswer = (request) => void request.socket.destroy();
  answers = [cut, json({ id: 1 })];
  expect(await client().call(get(), ctx())).toEqual({ id: 1 });
  answers = [cut];
  await expect(client({ retries: 0 }).call(get(), ctx())).rejects.toThrow('GET /pets did not reach the API.');
});

test('a caller that cancels ends the request', async () => {
  const controller = new AbortController();
  answers = [() => controller.abort()];
  await expect(client().call(get(), ctx(controller.signal))).rejects.toThrow('abort');
  expect(seen).toHaveLength(1);
});

test('an answer that takes too long or is too large is refused', async () => {
  answers = [() => undefined];
  await expect(client({ timeout: 20, retries: 0 }).call(get(), ctx())).rejects.toThrow(
    'got no answer in 0.02 s',
  );
  // A busy machine may see the request of before only now, and answer it, too.
  const large = json({ text: 'x'.repeat(2_000) });
  answers = [large, large];
  await expect(client({ maxBytes: 1_000 }).call(get(), ctx())).rejects.toThrow('more than 1000 bytes');
});

test('credentials do not follow a redirect to another origin', async () => {
  answers = [
    (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/x' }).end(),
  ];
  await expect(client({ token: 'a' }).call(get(), ctx())).rejects.toThrow('was not followed');
  answers = [
    (_request, response) => void response.writeHead(301, { location: '/animals' }).end(),
    json({ id: 2 }),
  ];
  expect(await client().call(get(), ctx())).toEqual({ id: 2 });
});

test.each(['..', '.', ''])('the argument %j cannot change the path', async (id) => {
  const request = get({ path: '/pets/{id}/photos', params: { id } });
  await expect(client().call(request, ctx())).rejects.toMatchObject({ code: 'TW_OPENAPI_REQUEST' });
  expect(seen).toEqual([]);
});

test('an argument with reserved characters stays one part of the path', async () => {
  await client().call(get({ path: '/pets/{id}', params: { id: '../a?b=c#d' } }), ctx());
  await client().call(
    get({ query: { at: reserved('a/b:c&d#'), filter: deepObject({ a: { b: [1, 2] }, c: [{ d: 3 }] }) } }),
    ctx(),
  );
  expect(seen.map(({ url }) => url)).toEqual([
    '/pets/..%2Fa%3Fb%3Dc%23d',
    '/pets?at=a/b:c%26d%23&filter[a][b][]=1&filter[a][b][]=2&filter[c][0][d]=3',
  ]);
});

test('a header cannot carry another one', async () => {
  await expect(client().call(get({ headers: { 'X-A': 'a\r\nX-B: c' } }), ctx())).rejects.toMatchObject({
    code: 'TW_OPENAPI_REQUEST',
  });
});

test('members that are null are left out, and items of lists stay', async () => {
  answers = [json({ a: null, b: [null, { c: null, d: 1 }] })];
  expect(await client().call(get(), ctx())).toEqual({ b: [null, { d: 1 }] });
});

describe('pages', () => {
  const items = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `i${from + index}` }));

  test('by number, until the header Link names no next one', async () => {
    answers = [
      json(items(0, 2), 200, { link: '<x?page=2>; rel="next"' }),
      json(items(2, 1), 200, { link: '<x>; rel="prev"' }),
    ];
    const found = await client().list(
      get(),
      { by: 'page', at: 'page', size: { name: 'per_page', most: 2 }, limit: 10 },
      ctx(),
    );
    expect(found).toHaveLength(3);
    expect(seen.map(({ url }) => url)).toEqual(['/pets?per_page=2', '/pets?per_page=2&page=2']);
  });

  test('by offset, no more than the limit', async () => {
    answers = [json({ values: items(0, 2) }), json({ values: items(2, 2) })];
    const found = await client().list(
      get(),
      { by: 'offset', at: 'startAt', size: { name: 'maxResults', most: 2 }, items: 'values', limit: 3 },
      ctx(),
    );
    expect(found).toEqual(items(0, 3));
    expect(seen.at(-1)!.url).toBe('/pets?maxResults=2&startAt=2');
  });

  test('by cursor', async () => {
    answers = [
      json({ items: items(0, 1), meta: { next: 'c2' } }),
      json({ items: items(1, 1), meta: { next: '' } }),
    ];
    const found = await client().list(
      get(),
      { by: 'cursor', at: 'cursor', items: 'items', next: 'meta.next', limit: 10 },
      ctx(),
    );
    expect(found).toEqual(items(0, 2));
    expect(seen.map(({ url }) => url)).toEqual(['/pets', '/pets?cursor=c2']);
  });

  test('by the last id', async () => {
    answers = [json({ data: items(0, 2), has_more: true }), json({ data: items(2, 1), has_more: false })];
    const found = await client().list(
      get(),
      { by: 'last-id', at: 'starting_after', items: 'data', next: 'has_more', limit: 10 },
      ctx(),
    );
    expect(found).toHaveLength(3);
    expect(seen.at(-1)!.url).toBe('/pets?starting_after=i1');
  });

  test('an API that says "more" for ever is left, and the caller reads how to go on', async () => {
    answers = Array.from({ length: 80 }, (_, index) => json({ items: items(index, 1), next: `c${index}` }));
    const pages = { by: 'cursor', at: 'cursor', items: 'items', next: 'next', limit: 1_000 } as const;
    await expect(client().list(get(), pages, ctx())).rejects.toThrow('Ask for at most 50 items');
    expect(seen).toHaveLength(50);
  });
});

test('a client without an address says what to set, when it is used', async () => {
  const error = await new ApiClient({ baseUrl: undefined })
    .call(get(), ctx())
    .catch((thrown: Error) => thrown);
  expect((error as Error).message).toContain('API_BASE_URL');
  expect(() => new ApiClient({ baseUrl: 'ftp://x.example' })).toThrow('http or https');
});
