import { call, modern, send } from '../../http/test/support/wire.js';
import { callEcho, closeApps, createApp, mountFixture, serveApp } from './support/apps.js';

afterEach(closeApps);

test('the endpoint has one path, and every other path belongs to the app', async () => {
  const app = createApp();
  await mountFixture(app);
  app.get('/mcp/below', () => 'mine');
  const url = await serveApp(app);
  for (const path of ['/mcp', '/mcp?tenant=1']) expect(await callEcho(url, path)).toBe(path);
  expect((await send(url, { method: 'GET', path: '/mcp/below' })).text).toBe('mine');
  expect(await callEcho(url, '/mcp/else')).toBe(404);
});

test('the path is chosen by `path`, below the prefix of the plugin and of the plugins around it', async () => {
  const app = createApp();
  await mountFixture(app, { path: '/of/:tenant' });
  await mountFixture(app, { prefix: '/api' });
  app.register(async (inner) => mountFixture(inner, { prefix: '/v1', path: '/tools' }), { prefix: '/shop' });
  const url = await serveApp(app);
  for (const path of ['/of/ada', '/api/mcp', '/shop/v1/tools']) expect(await callEcho(url, path)).toBe(path);
  expect(await callEcho(url, '/mcp')).toBe(404);
});

test('a whole URL may be the target, and its host counts', async () => {
  const app = createApp();
  await mountFixture(app);
  const url = await serveApp(app);
  for (const [host, status] of [
    [new URL(url).host, 200],
    ['evil.example', 403],
  ] as const)
    expect((await send(url, { ...modern('tools/list'), target: `http://${host}/mcp` })).status).toBe(status);
});

test('other methods are answered by the endpoint', async () => {
  const app = createApp();
  await mountFixture(app, { allowedOrigins: ['https://app.example.com'] });
  const url = await serveApp(app);
  const refused = await send(url, { method: 'PUT', path: '/mcp' });
  expect([refused.status, refused.headers.allow]).toEqual([405, 'POST, GET, DELETE']);
  const preflight = await send(url, {
    method: 'OPTIONS',
    path: '/mcp',
    headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
  });
  expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([
    204,
    'https://app.example.com',
  ]);
});

test('`app.inject` calls tools without a port', async () => {
  const app = createApp();
  await mountFixture(app);
  const { headers, body } = call('echo', { text: 'hi' });
  const json = { 'content-type': 'application/json' };
  const answer = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...json, ...headers } as Record<string, string>,
    payload: body as object,
  });
  expect(answer.json().result.content).toEqual([{ type: 'text', text: 'hi' }]);
});

test('routes, parsers and errors of the app stay as they were', async () => {
  const app = createApp();
  app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  await mountFixture(app);
  app.post('/orders', async ({ body }) => ({ body }));
  const url = await serveApp(app);
  const json = await send(url, { path: '/orders', body: { a: 1 } });
  const csv = await send(url, { path: '/orders', headers: { 'content-type': 'text/csv' }, body: 'a,b' });
  const broken = await send(url, { path: '/orders', body: '{' });
  expect([json.json, csv.json, broken.status]).toEqual([{ body: { a: 1 } }, { body: 'a,b' }, 400]);
  expect((await send(url, { ...modern('tools/list'), path: '/mcp' })).status).toBe(200);
});
