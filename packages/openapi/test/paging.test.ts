import { createMcpServer, MaxOutput } from '@toolwright/core';
import type { PolicyEntries } from '@toolwright/core/options';
import { connect } from '@toolwright/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@toolwright/core/ports';
import { openApiTools } from '../src/index';
import { planOperations } from '../src/model/plan-operations';
import type { OpenApiDocument } from '../src/read/openapi-document';
import { Specification } from '../src/read/specification';
import { reportLines, reportOf } from '../src/report/import-report';
import { writeFiles } from '../src/write/write-files';

/** What the API does with a query. */
type Answer = (query: URLSearchParams) => { status?: number; body: unknown; link?: string };

let answer: Answer;
let seen: string[];
let server: Server;
let baseUrl: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const { search, searchParams } = new URL(request.url!, 'http://api.example');
    seen.push(search);
    const { status = 200, body, link } = answer(searchParams);
    response
      .writeHead(status, { 'content-type': 'application/json', ...(link && { link }) })
      .end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => (seen = []));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const [text, whole] = [{ type: 'string' }, { type: 'integer' }];
const query = (name: string, schema: object, more: object = {}) => ({ name, in: 'query', schema, ...more });
const rows = { type: 'array', items: { type: 'object', properties: { id: whole } } };
const size = query('per_page', { type: 'integer', maximum: 2 });

function specification(parameters: object[], schema: object = rows): OpenApiDocument {
  const content = { 'application/json': { schema } };
  const get = { operationId: 'listRows', parameters, responses: { 200: { description: 'ok', content } } };
  return {
    openapi: '3.0.3',
    info: { title: 'Rows', version: '1' },
    paths: { '/rows': { get } },
  } as OpenApiDocument;
}

async function listRows(...given: Parameters<typeof callRows>): Promise<unknown> {
  const result = await callRows(...given);
  return result.isError ? result.content : result.structuredContent;
}

async function callRows(
  parameters: object[],
  args: object = {},
  schema: object = rows,
  policies: PolicyEntries = [],
) {
  const host = await createMcpServer({
    name: 'rows',
    version: '1.0.0',
    services: [],
    audit: false,
    logger: silentLogger,
  });
  try {
    await openApiTools(host, { spec: specification(parameters, schema), baseUrl, retries: 0, policies });
    return await (await connect(host)).call('list_rows', args as Record<string, unknown>);
  } finally {
    await host.close();
  }
}

/** Seven rows in pages, by a parameter that counts pages from `first`. */
const inPages =
  (name: string, { first, count = 2 }: { first: number; count?: number }): Answer =>
  (given) => {
    const from = (Number(given.get(name) ?? first) - first) * count;
    return { body: seven.slice(from, from + count) };
  };
const seven = Array.from({ length: 7 }, (_, index) => ({ id: index + 1 }));

test.each([
  ['by its default', query('page', { type: 'integer', default: 0 })],
  ['by its description', query('page', whole, { description: 'Zero-based number of the page.' })],
  ['and required', query('page', { type: 'integer', default: 0 }, { required: true })],
])('no page is lost where pages are counted from 0, %s', async (_name, page) => {
  answer = inPages('page', { first: 0 });
  expect(await listRows([page, size])).toEqual(seven);
});

test.each([0, 1])(
  'where nothing says it, the client finds out that pages are counted from %i',
  async (first) => {
    answer = inPages('page', { first });
    expect(await listRows([query('page', whole), size])).toEqual(seven);
  },
);

test('the header Link says which page is next', async () => {
  const pages = inPages('page', { first: 1 });
  answer = (given) => {
    const next = Number(given.get('page') ?? 1) + 1;
    return {
      ...pages(given),
      ...(next < 5 && { link: `<x?page=1>; rel="first", <x?per_page=2&page=${next}>; rel="next"` }),
    };
  };
  expect(await listRows([query('page', whole), size])).toEqual(seven);
  expect(seen).toEqual(['', '&page=2', '&page=3', '&page=4', '&page=5'].map((each) => `?per_page=2${each}`));
});

test('a page that is required is sent, from the first on', async () => {
  answer = inPages('page', { first: 1 });
  const page = query('page', { type: 'integer', minimum: 1 }, { required: true });
  expect(await listRows([page, size])).toEqual(seven);
  expect(seen[0]).toBe('?per_page=2&page=1');
});

test('an API that gives fewer items than it is asked for is read to its end', async () => {
  answer = inPages('page', { first: 1, count: 2 });
  const page = query('page', { type: 'integer', default: 1 });
  const large = query('per_page', { type: 'integer', maximum: 100 });
  expect(await listRows([page, large])).toEqual(seven);
});

test.each([
  ['minimum', { minimum: 3 }],
  ['exclusiveMinimum', { minimum: 2, exclusiveMinimum: true }],
])(
  'a page has no fewer items than the %s of its size, and the caller gets no more than asked for',
  async (_name, bound) => {
    answer = inPages('page', { first: 1, count: 3 });
    const page = query('page', { type: 'integer', default: 1 });
    const bounded = query('per_page', { type: 'integer', maximum: 100, ...bound });
    expect(await listRows([page, bounded], { limit: 1 })).toEqual(seven.slice(0, 1));
    expect(seen).toEqual(['?per_page=3&page=1']);
    seen = [];
    expect(await listRows([page, bounded], { limit: 4 })).toEqual(seven.slice(0, 4));
    expect(seen).toEqual(['?per_page=4&page=1', '?per_page=4&page=2']);
  },
);

test('written code has the smallest size of a page, too', () => {
  const bounded = query('per_page', { type: 'integer', minimum: 25, maximum: 100 });
  const page = query('page', { type: 'integer', default: 1 });
  const files = writeFiles(planOperations(new Specification(specification([page, bounded]))));
  expect([...files.values()].join('')).toMatch(/name: 'per_page',\s+most: 100,\s+least: 25/);
});

test.each([
  ['exclusiveMaximum', { maximum: 3, exclusiveMaximum: true }, '?per_page=2&page=1'],
  ['multipleOf', { multipleOf: 10 }, '?page=1'],
])('no size is sent that its %s refuses', async (_name, bound, first) => {
  answer = inPages('page', { first: 1 });
  const page = query('page', { type: 'integer', default: 1 });
  const bounded = query('per_page', { type: 'integer', ...bound });
  expect(await listRows([page, bounded], { limit: 5 })).toEqual(seven.slice(0, 5));
  expect(seen[0]).toBe(first);
});

test('pages without a size are read to their end', async () => {
  answer = inPages('page', { first: 1, count: 3 });
  const page = query('page', { type: 'integer', default: 1 }, { description: 'The page of results.' });
  expect(await listRows([page])).toEqual(seven);
});

test('a refusal of the page behind the last one is the end, and any other refusal is not', async () => {
  const page = query('page', { type: 'integer', default: 1 });
  const pages = inPages('page', { first: 1 });
  answer = (given) =>
    Number(given.get('page')) > 4 ? { status: 404, body: { detail: 'Invalid page.' } } : pages(given);
  expect(await listRows([page, size])).toEqual(seven);
  answer = (given) =>
    Number(given.get('page')) > 1 ? { status: 404, body: { message: 'no' } } : pages(given);
  expect(await listRows([page, size])).toMatchObject([{ text: expect.stringContaining('404') }]);
});

test('an API that gives the same page again and again is asked twice', async () => {
  answer = () => ({ body: seven.slice(0, 2) });
  expect(await listRows([query('page', { type: 'integer', default: 1 }), size])).toEqual(seven.slice(0, 2));
  expect(seen).toHaveLength(2);
});

const wrapped = { type: 'object', properties: { items: rows, has_more: { type: 'boolean' } } };

test('an answer that says it is the last one is the last one', async () => {
  answer = () => ({ body: { items: seven.slice(0, 1), has_more: false } });
  expect(await listRows([query('page', { type: 'integer', default: 1 }), size], {}, wrapped)).toEqual([
    { id: 1 },
  ]);
  expect(seen).toHaveLength(1);
});

test('an offset that an answer gives is sent as it is', async () => {
  const next = { type: 'object', properties: { offset: text } };
  const schema = { type: 'object', properties: { data: rows, next_page: next } };
  answer = (given) =>
    given.get('offset') === 'abc'
      ? { body: { data: seven.slice(2), next_page: null } }
      : { body: { data: seven.slice(0, 2), next_page: { offset: 'abc' } } };
  expect(await listRows([query('offset', text), query('limit', whole)], {}, schema)).toEqual(seven);
});

describe('a list that ends at its limit says so in the result', () => {
  const cursor = [query('cursor', text), query('limit', whole)];
  const withCursor = { type: 'object', properties: { items: rows, next_cursor: text } };
  const saidIn = ({ content }: Awaited<ReturnType<typeof callRows>>) =>
    content.slice(1).map((each) => (each as { text: string }).text);
  const certain = (count: number) => [
    `[These are ${count} items, because \`limit\` was reached. There are more: ask for a larger \`limit\`, or for a part of the list with other arguments.]`,
  ];

  test('with a cursor, a link, or items that are left', async () => {
    answer = () => ({ body: { items: seven.slice(0, 2), next_cursor: 'a' } });
    expect(saidIn(await callRows(cursor, { limit: 2 }, withCursor))).toEqual(certain(2));
    answer = () => ({ body: seven.slice(0, 2), link: '<x?page=2>; rel="next"' });
    expect(saidIn(await callRows([query('page', whole), size], { limit: 2 }))).toEqual(certain(2));
    answer = () => ({ body: seven });
    const result = await callRows([query('page', whole), size], { limit: 3 });
    expect(saidIn(result)).toEqual(certain(3));
    expect(result.structuredContent).toEqual(seven.slice(0, 3));
  });

  test('where nobody knows it, that there may be more', async () => {
    answer = inPages('page', { first: 1 });
    const page = query('page', { type: 'integer', minimum: 1 });
    expect(saidIn(await callRows([page, size], { limit: 4 }))).toEqual([
      expect.stringContaining('There may be more:'),
    ]);
  });

  test('and says nothing at the end, whatever the limit is', async () => {
    answer = () => ({ body: { items: seven.slice(0, 2), next_cursor: null } });
    expect(saidIn(await callRows(cursor, { limit: 2 }, withCursor))).toEqual([]);
    answer = () => ({ body: seven.slice(0, 2), link: '<x?page=1>; rel="first"' });
    expect(saidIn(await callRows([query('page', whole), size], { limit: 2 }))).toEqual([]);
    answer = inPages('page', { first: 1 });
    expect(saidIn(await callRows([query('page', { type: 'integer', minimum: 1 }), size]))).toEqual([]);
  });

  test('also in each part of a result that is cut', async () => {
    const many = Array.from({ length: 40 }, (_, id) => ({ id }));
    answer = () => ({ body: { items: many, next_cursor: 'a' } });
    const first = await callRows(cursor, { limit: 40 }, withCursor, [MaxOutput.entry({ bytes: 400 })]);
    expect(saidIn(first)).toEqual([...certain(40), expect.stringContaining('The result was cut')]);
    expect((first.structuredContent as unknown[]).length).toBeLessThan(40);
  });
});

describe('a list that is not read to its end is refused, with the number of items that can be read', () => {
  const cursors = (schema: object = { type: 'object', properties: { items: rows, next_cursor: text } }) =>
    listRows([query('cursor', text), query('limit', whole)], { limit: 60 }, schema);
  const refusal = (words: string) => [{ text: expect.stringContaining(words), type: 'text' }];
  let page = 0;
  beforeEach(() => (page = 0));

  test('after fifty pages', async () => {
    answer = () => ({ body: { items: [{ id: (page += 1) }], next_cursor: `c${page}` } });
    expect(await cursors()).toEqual(
      refusal('gave 50 items in 50 pages, and there are more. Ask for at most 50 items'),
    );
    expect(seen).toHaveLength(50);
  });

  test('where the API does not know the cursor', async () => {
    answer = () => ({ body: { items: [{ id: 1 }], next_cursor: 'same' } });
    expect(await cursors()).toEqual(refusal('gave 1 items and does not say where it goes on'));
    expect(seen).toHaveLength(2);
  });

  test('where there is more after an item without an id', async () => {
    const schema = { type: 'object', properties: { data: rows, has_more: { type: 'boolean' } } };
    answer = () => ({ body: { data: [{}], has_more: true } });
    expect(await listRows([query('starting_after', text)], {}, schema)).toEqual(refusal('gave 1 items'));
    expect(await listRows([query('starting_after', text)], { limit: 1 }, schema)).toEqual([{}]);
  });

  test('where the API refuses the cursor that it gave', async () => {
    answer = (given) =>
      given.has('cursor')
        ? { status: 400, body: { message: 'expired' } }
        : { body: { items: [{ id: 1 }], next_cursor: 'a' } };
    expect(await cursors()).toEqual(refusal('expired'));
  });

  test('and an empty page with a cursor, or a cursor that leads to itself, is no loss', async () => {
    answer = (given) => {
      const at = Number(given.get('cursor') ?? 0);
      return { body: { items: at === 1 ? [] : [{ id: at }], next_cursor: String(Math.min(at + 1, 3)) } };
    };
    expect(await cursors()).toEqual([{ id: 0 }, { id: 2 }, { id: 3 }]);
    answer = () => ({ body: { items: [{ id: 1 }], next_cursor: `c${(page += 1)}`, has_more: false } });
    expect(await cursors()).toEqual([{ id: 1 }]);
  });
});

test.each([
  ['a slug', query('page', text), { page: 'about-us' }, '?page=about-us'],
  ['a size of shirts', query('size', { type: 'string', enum: ['S', 'M'] }), { size: 'M' }, '?size=M'],
  ['a switch', query('count', { type: 'boolean' }), { count: true }, '?count=true'],
  ['a page with nothing that says where it begins', query('page', whole), { page: 3 }, '?page=3'],
  ['the page of a book', query('page', { type: 'integer', minimum: 0 }), { page: 9 }, '?page=9'],
  ['an offset without a size', query('offset', whole), { offset: 4 }, '?offset=4'],
])('%s is an argument as any other', async (_name, parameter, args, sent) => {
  answer = () => ({ body: seven });
  expect(await listRows([parameter], args)).toEqual(seven);
  expect(seen).toEqual([sent]);
});

test('the report says which tools read pages and why, and which arguments only look like pages', () => {
  const report = (page: object) => reportOf(planOperations(new Specification(specification([page, size]))));
  expect(report(query('page', { type: 'integer', default: 0 }))).toMatchObject({
    pages: [{ tool: 'list_rows', by: 'page page', evidence: 'default 0' }],
    notPages: [],
  });
  expect(reportLines(report(query('page', { type: 'integer', default: 0 }))).join('\n')).toContain(
    'A call of these gives at most 50 items, or as many as its limit says, up to 1,000. It says if there are more.',
  );
  expect(report(query('page', text))).toMatchObject({
    pages: [],
    notPages: [{ tool: 'list_rows', arguments: ['page'] }],
  });
});
