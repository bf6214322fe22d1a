import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { connect } from '@toolwright/client';
import type { McpServer } from '@toolwright/core';
import type { AuditEvent } from '@toolwright/core/ports';
import express from 'express';
import { consoleExpress, type ConsoleExpressOptions } from '../src/serve/console-express.js';
import { rawRequest, type RawRequest } from './support/raw-request.js';
import { smallServer } from './support/small-server.js';
import { auditTo } from '../../core/test/support/recording-sink.js';

const listening: Server[] = [];

afterEach(() => {
  for (const server of listening.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const isAdmin = (req: IncomingMessage) => req.headers.authorization === 'Bearer admin';

async function mount(options: Partial<ConsoleExpressOptions> = {}, servers?: McpServer | McpServer[]) {
  const app = express();
  const server = await smallServer();
  app.use('/admin/console', consoleExpress(servers ?? server, { authorize: isAdmin, ...options }));
  app.use((error: Error, _req: unknown, res: express.Response, _next: unknown) => {
    res.status(500).send(`the application says: ${error.message}`);
  });
  const http = createServer(app);
  listening.push(http);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const send = (path: string, { headers = {}, ...asked }: RawRequest = {}) => {
    const usual: Record<string, string> = { authorization: 'Bearer admin', ...headers };
    if (asked.method === 'POST') usual['content-type'] ??= 'application/json';
    return rawRequest(`${origin}${path}`, { ...asked, headers: usual });
  };
  const ask = async (method: string, params: object = {}, headers: Record<string, string> = {}) => {
    const { status, body } = await send(`/admin/console/api/${method}`, {
      method: 'POST',
      body: JSON.stringify(params),
      headers,
    });
    return { status, ...(JSON.parse(body) as { message?: string; [member: string]: unknown }) };
  };
  return { server, origin, send, ask };
}

describe('what an administrator changes', () => {
  const records: AuditEvent[] = [];
  const audit = auditTo((event) => void records.push(event));
  const audited = () => smallServer({ audit });
  const changes = { access: ['change'] as const };
  const who = (req: IncomingMessage) =>
    req.headers['x-admin'] !== undefined && { name: String(req.headers['x-admin']) };

  beforeEach(() => records.splice(0));

  it.each([
    ['resetLimits', {}, 'reset limits'],
    ['endSession', { key: 'gone' }, 'end session'],
    ['cancelRunningCall', { number: 7 }, 'cancel call'],
    ['cancelTask', { key: 'gone' }, 'cancel task'],
    ['retryTask', { key: 'gone' }, 'retry task'],
  ])('is recorded with their name: %s', async (method, params, name) => {
    const { ask } = await mount({ authorize: who, ...changes }, await audited());
    await Promise.all(
      ['ann', 'bob'].map((admin) => ask(method, { server: 'small', ...params }, { 'x-admin': admin })),
    );
    const heard = records.map(({ event, name, principal }) => `${event} ${name} ${principal?.subject}`);
    const expected = ['ann', 'bob'].flatMap((admin) => [
      `intent ${name} ${admin}`,
      `outcome ${name} ${admin}`,
    ]);
    expect(heard.sort()).toEqual(expected.sort());
  });

  it('is recorded for the user of the process when nobody says the name', async () => {
    const { ask } = await mount(changes, await audited());
    expect((await ask('resetLimits', { server: 'small' })).status).toBe(200);
    expect(records[0]?.principal?.subject).toBe(`console of ${userInfo().username}`);
  });

  it.each([[{}], [{ name: '' }], [{ name: ' ' }], [{ name: 7 }], ['ann'], [null], [1]])(
    'needs a name that is one: %j lets nobody in',
    async (admission) => {
      const { send } = await mount({ authorize: () => admission as never });
      expect((await send('/admin/console/')).status).toBe(403);
    },
  );
});

describe('who may see the console of an application', () => {
  it.each([
    ['nothing', undefined],
    ['no options', {}],
    ['something else', { authorize: true }],
  ])('has to be said: %s is not enough', async (_, options) => {
    const server = await smallServer();
    expect(() => consoleExpress(server, options as never)).toThrow(/authorize/);
  });

  it('is asked for every request', async () => {
    const { send, ask } = await mount();
    const headers = { authorization: 'Bearer guest' };
    expect((await ask('overview', {}, headers)).status).toBe(403);
    expect((await send('/admin/console', { headers })).status).toBe(403);
    expect((await send('/admin/console/api/events', { headers, onlyHeaders: true })).status).toBe(403);
    expect((await ask('overview')).status).toBe(200);
  });

  it.each([
    ['a text', () => 'yes' as never],
    ['a promise of false', () => Promise.resolve(false)],
    ['nothing', () => undefined as never],
  ])('lets nobody in who is answered with %s', async (_, authorize) => {
    const { ask } = await mount({ authorize });
    expect((await ask('overview')).status).toBe(403);
  });

  it('fails in the hands of the application when it throws', async () => {
    const authorize = () => Promise.reject(new Error('no session store'));
    const { send } = await mount({ authorize });
    const answer = await send('/admin/console');
    expect(answer).toMatchObject({ status: 500, body: 'the application says: no session store' });
  });

  it('does not let foreign pages ask with the cookies of an administrator', async () => {
    const { ask, send, origin } = await mount({ access: ['call', 'change'] });
    expect((await ask('overview', {}, { origin: 'https://evil.test' })).status).toBe(403);
    expect((await ask('overview', {}, { origin: 'null' })).status).toBe(403);
    expect((await ask('overview', {}, { 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await ask('overview', {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await ask('overview', {}, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await send('/admin/console/api/clearRecords')).status).toBe(405);
    expect((await ask('overview', {}, { origin, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it.each(['rebind.example', 'rebind.example:3000', 'localhost.evil.test', '127.0.0.1.nip.io', '10.0.0.7'])(
    'answers under no name that a page can point here: %j',
    async (host) => {
      const { ask, send } = await mount();
      const headers = { host, authorization: 'Bearer admin' };
      const rebound = { ...headers, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
      expect((await ask('overview', {}, rebound)).status).toBe(421);
      expect((await send('/admin/console/', { headers })).status).toBe(421);
      expect((await send('/admin/console/api/events', { headers, onlyHeaders: true })).status).toBe(421);
    },
  );

  it.each(['localhost:3000', 'LOCALHOST', '127.0.0.1', '[::1]:8080'])(
    'answers under the names of this machine: %s',
    async (host) => {
      const { ask } = await mount();
      expect((await ask('overview', {}, { host, origin: `http://${host}` })).status).toBe(200);
    },
  );

  it('with a name of its own, lets a rebound page read nothing, and its own page read', async () => {
    const { send } = await mount({ host: 'admin.example.com' });
    const status = async (headers: Record<string, string>) =>
      (await send('/admin/console/api/events', { headers, onlyHeaders: true })).status;
    expect(await status({ host: 'rebind.example' })).toBe(421);
    expect(await status({ host: 'admin.example.com' })).toBe(200);
    expect(await status({ host: 'internal:8080', 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await status({ host: 'internal:8080', 'sec-fetch-site': 'cross-site' })).toBe(403);
  });

  it('knows the name that browsers use, where a proxy sends another one', async () => {
    const { ask } = await mount({ host: 'admin.example.com' });
    const from = (origin: string) => ask('overview', {}, { origin, host: 'internal:8080' });
    expect((await from('https://admin.example.com')).status).toBe(200);
    expect((await from('http://internal:8080')).status).toBe(403);
  });
});

describe('what a mounted console may do', () => {
  it('is to show, and nothing else, unless told otherwise', async () => {
    const { ask } = await mount();
    expect(await ask('overview')).toMatchObject({ access: ['read'], servers: [{ id: 'small' }] });
    for (const method of [
      'startCall',
      'answerQuestion',
      'complete',
      'clearRecords',
      'endSession',
      'resetLimits',
      'openSource',
      'contract',
      'failure',
    ])
      expect(await ask(method, { server: 'small' })).toMatchObject({
        status: 400,
        message: expect.stringContaining('does not allow') as string,
      });
  });

  it('never is to play another caller, unless it may call', async () => {
    const as = { subject: 'boss', scopes: ['*'] };
    const reading = await mount({ access: ['read', 'change'] });
    expect(await reading.ask('surface', { server: 'small', as })).toMatchObject({
      status: 400,
      message: expect.stringContaining('plays no other caller') as string,
    });
    expect((await reading.ask('surface', { server: 'small' })).status).toBe(200);
    const calling = await mount({ access: ['call'] });
    expect((await calling.ask('surface', { server: 'small', as })).status).toBe(200);
    const call = { server: 'small', kind: 'tool', key: 'who_am_i', arguments: {}, as };
    expect((await calling.ask('startCall', call)).status).toBe(200);
  });

  it.each([[['project']], [['everything']], ['read']])('cannot be %j', async (access) => {
    const server = await smallServer();
    expect(() => consoleExpress(server, { authorize: () => true, access: access as never })).toThrow(
      /access/,
    );
  });

  it('is said of several servers', async () => {
    const { ask } = await mount({}, [await smallServer({ name: 'one' }), await smallServer({ name: 'two' })]);
    expect(await ask('overview')).toMatchObject({ servers: [{ id: 'one' }, { id: 'two' }] });
  });
});

const others = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
];

describe('calls and messages', () => {
  it('are recorded while a page is open and five minutes longer, and forgotten afterwards', async () => {
    const { server, origin, ask } = await mount();
    const client = await connect(server);
    const recorded = async () => {
      const { status: _, ...calls } = await ask('calls');
      return Object.values(calls).length;
    };
    await client.call('who_am_i');
    expect(await recorded()).toBe(0);

    const stop = new AbortController();
    const events = await fetch(`${origin}/admin/console/api/events`, {
      headers: { authorization: 'Bearer admin' },
      signal: stop.signal,
    });
    const reader = events
      .body!.pipeThrough(new TextDecoderStream() as never)
      .getReader() as ReadableStreamDefaultReader<string>;
    await reader.read();
    await client.call('who_am_i');
    expect(await recorded()).toBeGreaterThan(0);
    const { value } = await reader.read();
    expect(value).toContain('who_am_i');

    // Only timers that begin from now on are of this clock: that of the page that has gone.
    jest.useFakeTimers({ doNotFake: others });
    try {
      stop.abort();
      // The server learns of it a moment later.
      while (jest.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
      await client.call('who_am_i');
      expect(await recorded()).toBeGreaterThan(1);
      jest.advanceTimersByTime(300_000);
    } finally {
      jest.useRealTimers();
    }
    expect(await recorded()).toBe(0);
    await client.call('who_am_i');
    expect(await recorded()).toBe(0);
    await client.close();
  });
});

describe('the place of a mounted console', () => {
  it('is wherever the application mounts it, and cannot break out of the page', async () => {
    const server = await smallServer();
    const bases: string[] = [];
    const handler = consoleExpress(server, { authorize: () => true });
    const app = express();
    app.use('/t/:tenant/console', (req, res, next) => {
      bases.push(req.baseUrl);
      handler(req, res, next);
    });
    const http = createServer(app);
    listening.push(http);
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as AddressInfo;
    const { status } = await rawRequest(`http://127.0.0.1:${port}/t/a'b/console/api/overview`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(200);
    expect(bases).toEqual(["/t/a'b/console"]);
  });

  it('needs no framework', async () => {
    const handler = consoleExpress(await smallServer(), { authorize: () => true });
    const http = createServer((req, res) => handler(req, res));
    listening.push(http);
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as AddressInfo;
    const answer = await rawRequest(`http://127.0.0.1:${port}/api/overview`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(200);
  });
});
