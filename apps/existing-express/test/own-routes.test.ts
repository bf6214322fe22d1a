import { createServer, type Server } from 'node:http';
import type { McpServer } from '@toolwright/core';
import type { Express } from 'express';
import { Bookshop } from '../src/bookshop.js';
import { createBookshopApp } from '../src/bookshop-app.js';
import { createBookshopServer } from '../src/bookshop-server.js';
import { abort, type Answer, type Ask, exchange } from './exchange.js';

const json = { 'content-type': 'application/json' };
const order = (body: string): Ask => ({ method: 'POST', path: '/orders', headers: json, body });

/** The shop's own surface: every route, its 404 page, and everything its error handler answers. */
const ownRequests: Record<string, Ask> = {
  'a list': { method: 'GET', path: '/books?q=jane' },
  'a book': { method: 'GET', path: '/books/9780142437247' },
  'a book that does not exist': { method: 'GET', path: '/books/1' },
  'a path that does not exist': { method: 'GET', path: '/mcp-not' },
  'a method that does not exist': { method: 'DELETE', path: '/books' },
  HEAD: { method: 'HEAD', path: '/books' },
  OPTIONS: { method: 'OPTIONS', path: '/books' },
  'a form': {
    method: 'POST',
    path: '/orders',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'isbn=9780141439518&copies=0',
  },
  JSON: order('{"isbn":"9780141439518","copies":0}'),
  'an order that cannot be filled': order('{"isbn":"9780141439471","copies":1}'),
  'malformed JSON': order('{"isbn":'),
  'an oversized body': order(JSON.stringify({ isbn: 'x'.repeat(30_000) })),
  'a wrong Host': { method: 'GET', path: '/books', headers: { host: 'evil.example' } },
  'a foreign Origin': { method: 'GET', path: '/books', headers: { origin: 'https://evil.example' } },
  'an empty basket': { method: 'GET', path: '/basket' },
};

const call = (id: unknown, name: string, args: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
const toMcp = (body: string, headers: Record<string, string> = {}): Ask => ({
  method: 'POST',
  path: '/mcp',
  headers: { ...json, accept: 'application/json, text/event-stream', ...headers },
  body,
});

const abuses: Record<string, (port: number) => Promise<unknown>> = {
  'malformed JSON': (port) => exchange(port, toMcp('{"jsonrpc": "2.0", ')),
  'JSON that is no request': (port) => exchange(port, toMcp('[1, "two", null]')),
  'an empty body': (port) => exchange(port, toMcp('')),
  'an oversized body': (port) =>
    exchange(port, toMcp(call(1, 'find_books', { text: 'x'.repeat(2_000_000) }))),
  'deep nesting': (port) => exchange(port, toMcp(`${'['.repeat(9_000)}${']'.repeat(9_000)}`)),
  'a polluting key': (port) =>
    exchange(port, toMcp('{"__proto__":{"status":500},"constructor":{"prototype":{"x":1}}}')),
  'a wrong Host': (port) =>
    exchange(port, toMcp(call(1, 'find_books', { text: 'a' }), { host: 'evil.example' })),
  'a foreign Origin': (port) =>
    exchange(port, toMcp(call(1, 'find_books', { text: 'a' }), { origin: 'https://evil.example' })),
  'a wrong content type': (port) => exchange(port, toMcp('hello', { 'content-type': 'text/plain' })),
  'wrong methods': async (port) => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      await exchange(port, { method, path: '/mcp/x' });
  },
  'requests cut off half way': (port) =>
    Promise.all(Array.from({ length: 50 }, () => abort(port, toMcp(call(1, 'find_books', { text: 'a' }))))),
  'a flood': (port) =>
    Promise.all(
      Array.from({ length: 300 }, (_, id) => exchange(port, toMcp(call(id, 'find_books', { text: 'a' })))),
    ),
};

describe('the bookshop’s own routes', () => {
  const before = new Bookshop();
  const after = new Bookshop();
  let mcp: McpServer;
  let without: Server;
  let withMcp: Server;

  beforeAll(async () => {
    mcp = await createBookshopServer(after);
    without = await listen(createBookshopApp(before));
    withMcp = await listen(createBookshopApp(after, mcp));
  });

  afterAll(async () => {
    for (const server of [without, withMcp]) await new Promise((resolve) => server.close(resolve));
    await mcp.close();
  });

  const compare = async (ask: Ask) => {
    expect(await exchange(port(withMcp), ask)).toEqual(await exchange(port(without), ask));
  };

  it.each(Object.entries(ownRequests))('answer %s as before', (_name, ask) => compare(ask));

  it('keep a session as before', async () => {
    const visit = async (at: number) => {
      const login = await exchange(at, {
        method: 'POST',
        path: '/login',
        headers: json,
        body: '{"name":"Jo"}',
      });
      const cookie = cookieOf(login);
      await exchange(at, {
        method: 'POST',
        path: '/basket',
        headers: { ...json, cookie },
        body: '{"isbn":"1"}',
      });
      const basket = await exchange(at, { method: 'GET', path: '/basket', headers: { cookie } });
      return { status: login.status, location: login.headers.location, basket: basket.body };
    };

    expect(await visit(port(withMcp))).toEqual(await visit(port(without)));
  });

  describe.each(Object.entries(abuses))('after %s on /mcp', (_name, abuse) => {
    it('answer everything as before', async () => {
      await abuse(port(withMcp));

      for (const ask of Object.values(ownRequests)) await compare(ask);
      expect(({} as { x?: unknown }).x).toBeUndefined();
    });
  });

  it('answer while /mcp is flooded', async () => {
    const flood = abuses['a flood']!(port(withMcp));

    for (const ask of Object.values(ownRequests)) await compare(ask);
    await flood;
  });

  it('give no session to a caller of /mcp', async () => {
    const answer = await exchange(port(withMcp), toMcp(call(1, 'find_books', { text: 'jane' })));

    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});

function listen(app: Express): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer(app).listen(0, '127.0.0.1', () => resolve(server));
  });
}

function port(server: Server): number {
  return (server.address() as { port: number }).port;
}

function cookieOf({ headers }: Answer): string {
  return String((headers['set-cookie'] as string[])[0]).split(';')[0]!;
}
