import { Cache, createMcpServer, type McpServer, type Principal } from '@toolwright/core';
import type { AuditEvent } from '@toolwright/core/ports';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { text as textIn } from 'node:stream/consumers';
import { mcpHttp, type Authentication } from '../src/index.js';
import { serveTransfers, type Download, type TransferOptions } from '../src/transfers.js';
import { call, send } from './support/wire.js';
import { auditTo } from '../../core/test/support/recording-sink.js';

const people: Record<string, Principal> = {
  ann: { issuer: 'i', subject: 'ann', tenant: 'acme', scopes: ['files'], clientId: 'desk' },
  'ann-elsewhere': { issuer: 'i', subject: 'ann', tenant: 'acme', scopes: [], clientId: 'shell' },
  bob: { issuer: 'i', subject: 'bob', tenant: 'acme', scopes: ['files'] },
  'ann-of-globex': { issuer: 'i', subject: 'ann', tenant: 'globex', scopes: ['files'] },
};

const authenticate = ({ headers }: { headers: { authorization?: string | undefined } }): Authentication => {
  const principal = people[headers.authorization?.replace('Bearer ', '') ?? ''];
  const challenge = {
    status: 401,
    message: 'Authentication required',
    headers: { 'WWW-Authenticate': 'Bearer' },
  };
  return principal ? { principal } : { challenge };
};

let server: McpServer;
let http: Server;
let origin: string;
let now: number;
let records: AuditEvent[];
let errors: object[];
let received: { about: unknown; bytes: number; caller: Principal | undefined; type: string | undefined }[];

/** Larger than a message may be. */
const large = 'line\n'.repeat(600_000);

async function start(options: Partial<TransferOptions> = {}): Promise<void> {
  server = await createMcpServer({
    name: 'files',
    version: '1',
    services: [],
    audit: auditTo(async (event) => void records.push(event)),
    logger: { debug() {}, info() {}, warn() {}, error: (fields) => void errors.push(fields) },
    ports: {
      clock: {
        now: () => now,
        after: (ms, run) => {
          const timer = setTimeout(run, ms);
          return () => clearTimeout(timer);
        },
      },
    },
  });
  for (const direction of ['download', 'upload'] as const)
    server.tools.add({
      name: direction,
      description: 'Makes a link.',
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: 'object',
        properties: { withoutToken: { type: 'boolean' }, id: { type: 'string' } },
      },
      handler: ({ withoutToken, id = 'a' }, { transfers }) =>
        transfers![direction]({ id }, { withoutToken: withoutToken === true }).uri,
    });
  const transfers = await serveTransfers(server, {
    url: () => `${origin}/files/`,
    authenticate,
    maxBytes: 5_000_000,
    send: (about, caller) =>
      (about as { id: string }).id === 'a'
        ? {
            body: Readable.from([large, caller?.subject ?? 'nobody']),
            name: 'naïve "1".csv',
            type: 'text/csv',
          }
        : undefined,
    receive: async (about, { body, type }, caller) => {
      const bytes = (await textIn(body)).length;
      received.push({ about, bytes, caller, type });
      return { bytes };
    },
    ...options,
  });
  const mcp = mcpHttp(
    server,
    options.authenticate === undefined && 'authenticate' in options ? {} : { authenticate },
  );
  http = createServer((req, res) => transfers.handler(req, res, () => mcp(req, res)));
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

beforeEach(() => {
  now = 1_800_000_000_000;
  records = [];
  errors = [];
  received = [];
});
afterEach(async () => {
  await server.close(0);
  http.closeAllConnections();
  await new Promise((done) => http.close(done));
});

async function link(direction: string, args: Record<string, unknown> = {}, who = 'ann'): Promise<string> {
  const asked = call(direction, args);
  const { json } = await send(`${origin}/mcp`, {
    ...asked,
    headers: { ...asked.headers, authorization: `Bearer ${who}` },
  });
  return (json as { result: { content: { text: string }[] } }).result.content[0]!.text;
}

const by = (who: string | undefined, init: RequestInit = {}): RequestInit => ({
  ...init,
  ...(who && { headers: { authorization: `Bearer ${who}` } }),
});
const put = (who: string | undefined, body: string) => by(who, { method: 'PUT', body });
const outcomes = () =>
  records
    .filter(({ operation }) => (operation as string) === 'transfer')
    .map(({ outcome }) => outcome as string);

describe('where the server knows who calls', () => {
  beforeEach(() => start());

  test('a file that is larger than a message is fetched with a token of the caller, as often as it asks', async () => {
    const uri = await link('download');
    for (const who of ['ann', 'ann-elsewhere']) {
      const response = await fetch(uri, by(who));
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(`${large}ann`);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/csv',
        'content-disposition': `attachment; filename="na_ve _1_.csv"; filename*=UTF-8''na%C3%AFve%20%221%22.csv`,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox') as string,
      });
    }
    expect(outcomes()).toEqual(['ok', 'ok']);
  });

  test('a file that is larger than a message arrives, once, with who has sent it', async () => {
    const uri = await link('upload');
    const response = await fetch(uri, put('ann', large));
    expect([response.status, await response.json()]).toEqual([201, { bytes: large.length }]);
    expect(received).toEqual([
      { about: { id: 'a' }, bytes: large.length, caller: people['ann'], type: expect.any(String) as string },
    ]);
    expect((await fetch(uri, put('ann', 'again'))).status).toBe(404);
    expect(received).toHaveLength(1);
  });

  test.each<[what: string, who: string | undefined, status: number]>([
    ['nobody', undefined, 401],
    ['a bad token', 'eve', 401],
    ['another caller', 'bob', 404],
    ['the same name at another tenant', 'ann-of-globex', 404],
  ])('%s gets nothing with a link, and can send nothing', async (_what, who, status) => {
    const [from, to] = [await link('download'), await link('upload')];
    for (const [uri, init] of [
      [from, by(who)],
      [from, by(who, { method: 'HEAD' })],
      [to, put(who, 'mine')],
    ] as const) {
      const response = await fetch(uri, init);
      expect(response.status).toBe(status);
      expect(await response.text()).not.toContain('line');
      if (status === 401) expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect(received).toEqual([]);
    // The caller itself still can.
    expect((await fetch(to, put('ann', 'mine'))).status).toBe(201);
  });

  test.each<[what: string, change: (uri: string) => string]>([
    ['that is changed', (uri) => uri.slice(0, -3) + (uri.endsWith('AAA') ? 'BBB' : 'AAA')],
    ['that is cut', (uri) => uri.slice(0, -1)],
    ['that is empty', (uri) => uri.slice(0, uri.lastIndexOf('/') + 1)],
    ['with a path', (uri) => `${uri}/../x`],
    ['after its time', (uri) => ((now += 300_000), uri)],
  ])('a link %s counts for nobody', async (_what, change) => {
    const uri = change(await link('download'));
    expect((await fetch(uri, by('ann'))).status).toBe(404);
    const page = await fetch(uri, { headers: { ...by('ann').headers, accept: 'text/html,*/*;q=0.8' } });
    expect(`${page.status} ${await page.text()}`).toMatch(/^404 .*<h1>There is no file here<\/h1>/s);
    expect((await fetch(uri)).status).toBe(401);
  });

  test('a link to fetch does not send, and the other way round', async () => {
    expect((await fetch(await link('download'), put('ann', 'x'))).status).toBe(404);
    expect((await fetch(await link('upload'), by('ann'))).status).toBe(404);
    const response = await fetch(await link('upload'), by('ann', { method: 'DELETE' }));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT']);
  });

  test('a link without a token is for one request, which looking at it does not use up', async () => {
    const uri = await link('download', { withoutToken: true });
    expect((await fetch(uri, { method: 'HEAD' })).status).toBe(200);
    const answers = await Promise.all([1, 2, 3].map(async () => fetch(uri)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    const texts = await Promise.all(answers.map(async (answer) => answer.text()));
    expect(texts.filter((each) => each.endsWith('ann'))).toHaveLength(1);
    const to = await link('upload', { withoutToken: true });
    expect((await fetch(to, put(undefined, 'x'))).status).toBe(201);
    // A token that was not asked for gives no right: the holder may be somebody else.
    expect(received[0]!.caller).toEqual({
      issuer: 'i',
      subject: 'ann',
      tenant: 'acme',
      clientId: 'desk',
      scopes: [],
    });
  });

  test.each([
    ['its length is announced', large.repeat(2)],
    ['its length is not announced', undefined],
  ])('a file that is too large is refused, and may be sent again: %s', async (_how, body) => {
    const uri = await link('upload');
    const status = await new Promise<number | undefined>((done, failed) => {
      const req = request(uri, { method: 'PUT', headers: { authorization: 'Bearer ann' } }, (res) => {
        res.resume();
        done(res.statusCode);
      });
      req.on('error', failed);
      if (body !== undefined) req.setHeader('content-length', body.length).end(body);
      else Readable.from(Array.from({ length: 60 }, () => 'x'.repeat(100_000))).pipe(req);
    });
    expect(status).toBe(413);
    expect(received).toEqual([]);
    expect((await fetch(uri, put('ann', 'small'))).status).toBe(201);
  });

  test('a client that goes on to send a refused file loses neither its connection nor the answer', async () => {
    const { hostname, port, host, pathname, search } = new URL(await link('upload'));
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    const failures: unknown[] = [];
    socket.on('error', (error) => failures.push(error));
    const ended = once(socket, 'close');
    socket.write(
      `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ann\r\n` +
        `Content-Length: ${large.length * 2}\r\n\r\n`,
    );
    const [answer] = (await once(socket, 'data')) as [string];
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    socket.write(large);
    socket.write(large);
    await ended;
    expect(failures).toEqual([]);
  });

  test('a file whose sender goes away may be sent again', async () => {
    const uri = await link('upload');
    const req = request(uri, {
      method: 'PUT',
      headers: { authorization: 'Bearer ann', 'content-length': 100 },
    });
    req.on('error', () => undefined);
    const gone = new Promise<void>((done) =>
      http.once(
        'request',
        (arrived) => arrived.once('data', () => arrived.once('close', done)) && req.destroy(),
      ),
    );
    req.write('half');
    await gone;
    let response = await fetch(uri, put('ann', 'whole'));
    while (response.status === 404) response = await fetch(uri, put('ann', 'whole'));
    expect(response.status).toBe(201);
    expect(received.map(({ bytes }) => bytes)).toEqual([5]);
  });

  test('what is about a file that is gone is not found', async () => {
    expect((await fetch(await link('download', { id: 'b' }), by('ann'))).status).toBe(404);
    expect(outcomes()).toEqual(['gone']);
    expect(await link('download', { id: 'x'.repeat(4_000) })).toMatch(/Internal error/);
  });

  test('a part of a file is not sent: it would be a download without its end', async () => {
    const headers = { authorization: 'Bearer ann', range: 'bytes=0-9' };
    const response = await fetch(await link('download'), { headers });
    expect([response.status, response.headers.get('accept-ranges')]).toEqual([200, 'none']);
    expect(await response.text()).toBe(`${large}ann`);
  });

  test('other requests are left alone, also odd ones', async () => {
    for (const path of ['/', '//', '/filesystem', '/%']) {
      const response = await fetch(new URL(`${origin}${path}`), by('ann'));
      expect(response.headers.get('content-security-policy')).toBeNull();
      await response.text();
    }
  });
});

test('without authentication a link works once, and a store that is away lets nobody through', async () => {
  await start({ authenticate: undefined as never });
  const uri = await link('download');
  expect(await (await fetch(uri)).text()).toBe(`${large}nobody`);
  expect((await fetch(uri)).status).toBe(404);
});

describe('a file that cannot be sent', () => {
  const bodies: Readable[] = [];
  const files: Record<string, () => Partial<Download>> = {
    throws: () => {
      throw new Error('The disk is away.');
    },
    type: () => ({ type: 'text/csv\r\nX-Evil: 1' }),
    name: () => ({ name: 'half a \ud83d.csv' }),
  };
  let broken = true;

  beforeEach(async () => {
    bodies.length = 0;
    broken = true;
    await start({
      send(about) {
        const body = Readable.from([large]);
        bodies.push(body);
        const more = broken ? files[(about as { id: string }).id]!() : {};
        return { body, name: 'x.csv', ...more };
      },
    });
  });

  test.each(['throws', 'type'])('may be asked for again, also without a token: %s', async (id) => {
    const uri = await link('download', { id, withoutToken: true });
    const refused = await fetch(uri);
    expect([refused.status, refused.headers.get('x-evil')]).toEqual([500, null]);
    if (id === 'type') expect(bodies[0]!.destroyed).toBe(true);
    broken = false;
    expect(await (await fetch(uri)).text()).toBe(large);
    expect((await fetch(uri)).status).toBe(404);
  });

  test('is not one with an odd name', async () => {
    const response = await fetch(await link('download', { id: 'name' }), by('ann'));
    expect(response.headers.get('content-disposition')).toContain("UTF-8''half%20a%20%EF%BF%BD.csv");
    await response.text();
  });
});

test('a reader and a sender who go away are not a failure of the server', async () => {
  const body = new Readable({ read() {} });
  await start({ send: () => ({ body, name: 'x' }) });
  body.push('the beginning');
  const reading = new AbortController();
  const response = await fetch(await link('download'), { ...by('ann'), signal: reading.signal });
  expect(response.status).toBe(200);
  const sending = request(await link('upload'), { method: 'PUT', headers: { authorization: 'Bearer ann' } });
  sending.on('error', () => undefined).write('half');
  await new Promise<void>((done) => http.once('request', (arrived) => arrived.once('data', () => done())));
  reading.abort();
  sending.destroy();
  while (outcomes().length < 2) await new Promise((done) => setImmediate(done));
  expect(outcomes()).toEqual(['cancelled', 'cancelled']);
  expect(errors).toEqual([]);
  expect(body.destroyed).toBe(true);
});

test('a cached tool gives each call a link of its own, and keeps what has none', async () => {
  await start();
  let runs = 0;
  server.tools.add({
    name: 'export',
    annotations: { readOnlyHint: true },
    policies: [Cache.entry({ ttl: '1h' })],
    inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    handler: ({ id }, { transfers }) => {
      runs++;
      return id === 'none' ? 'nothing' : transfers!.download({ id: 'a' }, { withoutToken: true }).uri;
    },
  });
  for (const _ of [1, 2]) expect((await fetch(await link('export'))).status).toBe(200);
  expect(runs).toBe(2);
  for (const _ of [1, 2]) expect(await link('export', { id: 'none' })).toBe('nothing');
  expect(runs).toBe(3);
});

test.each<[object, RegExp]>([
  [{ url: 'ftp://x' }, /"?url"?/],
  [{ url: 'https://x.example/files', life: '2h', send: () => undefined }, /life/],
  [{ url: 'https://x.example/files' }, /send/],
])('options %j are refused', async (options, message) => {
  await start();
  const other = await createMcpServer({ name: 'x', version: '1', services: [], audit: false });
  await expect(serveTransfers(other, options as TransferOptions)).rejects.toThrow(message);
  await other.close();
});
