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
