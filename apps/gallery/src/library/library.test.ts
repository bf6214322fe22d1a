import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { commands } from '@toolwright/openapi/commands';
import { referees } from '../../../pages/test/referees.js';
import { textOf } from '../../test/answers.js';
import { ServedTopic } from '../../test/served-topic.js';
import { providers, services } from './index.js';

const app = join(__dirname, '../..');

it('is what its specification says today', async () => {
  const said: string[] = [];
  const terminal = {
    cwd: app,
    out: (line: string) => said.push(line),
    err: (line: string) => said.push(line),
  };
  const values = { out: 'src/library', check: true };

  expect({ code: await commands[0]!.run('specifications/library.yaml', values, terminal), said }).toEqual({
    code: 0,
    said: [],
  });
});

/** What stands for the library: two pages of books, and loans. */
class Library {
  readonly requests: string[] = [];
  private readonly server: Server = createServer((request, response) => {
    this.requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    const url = new URL(request.url!, 'http://library');
    const json = (status: number, body?: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(body === undefined ? undefined : JSON.stringify(body));
    if (request.method === 'DELETE') return void json(204);
    if (request.method === 'POST') return void json(201, { id: 7, due: '2026-12-17' });
    if (url.pathname !== '/books') return void json(404, { message: 'No such book.' });
    const first = 1 + 50 * (Number(url.searchParams.get('page') ?? 1) - 1);
    const books = Array.from({ length: first === 1 ? 50 : 5 }, (_, index) => ({
      isbn: String(9_780_000_000_000 + first + index),
      title: `Book ${first + index}`,
      shelf: 'of the API only',
    }));
    json(200, { books, total: 55 });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

describe.each(referees)('the tools of the library, called by $name', (referee) => {
  let library: Library;
  let topic: ServedTopic;

  beforeEach(async () => {
    library = new Library();
    process.env.LIBRARY_API_URL = await library.listen();
    process.env.LIBRARY_TOKEN = 'library-token';
    topic = await ServedTopic.serve({ services, providers, audit: false });
  });

  afterEach(async () => {
    await topic.close();
    await library.close();
    delete process.env.LIBRARY_API_URL;
    delete process.env.LIBRARY_TOKEN;
  });

  it('reads as many pages as it needs, and keeps what no type declares', async () => {
    const client = await topic.connect(referee);
    const result = await client.callTool('find_books', { q: 'book', limit: 52 });

    expect(library.requests).toEqual([
      'GET /books?q=book&per_page=50&page=1 Bearer library-token',
      'GET /books?q=book&per_page=50&page=2 Bearer library-token',
    ]);
    expect(textOf(result)).toContain('Book 52');
    expect(textOf(result)).not.toContain('Book 53');
    expect(textOf(result)).not.toContain('of the API only');
  });

  it('lends a book, and takes it back', async () => {
    const client = await topic.connect(referee);
    const { structuredContent } = await client.callTool('lend_book', { isbn: '9780141439518', reader: 12 });
    expect(structuredContent).toEqual({ id: 7, due: '2026-12-17' });
    await client.callTool('end_loan', { id: 7 });
    expect(library.requests.at(-1)).toBe('DELETE /loans/7 Bearer library-token');
  });

  it('tells the model what the library says', async () => {
    const client = await topic.connect(referee);
    const result = await client.callTool('get_book', { isbn: '9780000000000' });
    expect(textOf(result)).toBe('GET /books/{isbn} answered 404 Not Found: No such book.');
  });
});
