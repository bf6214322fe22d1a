import { PassThrough, Transform } from 'node:stream';
import { call, send } from '../../http/test/support/wire.js';
import { callEcho, closeApps, createApp, mountFixture, serveApp } from './support/apps.js';

afterEach(closeApps);

test('the endpoint reads the body, whatever the limit and the parsers of the app are', async () => {
  const app = createApp({ bodyLimit: 10 });
  app.addContentTypeParser('application/json', (_request, _payload, done) => done(new Error('not for us')));
  await mountFixture(app);
  expect(await callEcho(await serveApp(app), '/mcp')).toBe('/mcp');
});

test('the limit and the errors are those of the endpoint', async () => {
  const app = createApp();
  await mountFixture(app, { maxBodyBytes: 1_000 });
  const url = await serveApp(app);
  const large = await send(url, { ...call('echo', { text: 'x'.repeat(2_000) }), path: '/mcp' });
  const broken = await send(url, { path: '/mcp', body: '{' });
  const text = await send(url, { path: '/mcp', headers: { 'content-type': 'text/plain' }, body: '{}' });
  const untyped = await send(url, { path: '/mcp', headers: { 'content-type': undefined }, body: '{}' });
  expect([large.status, large.json.error.code]).toEqual([413, -32600]);
  expect([broken.status, broken.json.error.code]).toEqual([400, -32700]);
  expect([text.status, untyped.status]).toEqual([415, 415]);
});

test('a stream that a `preParsing` hook returns is read in the place of the connection', async () => {
  const app = createApp();
  const named = new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, chunk.toString().replaceAll('NAME', 'Ada')),
  });
  app.addHook('preParsing', async (_request, _reply, payload) => payload.pipe(named));
  await mountFixture(app);
  const answer = await send(await serveApp(app), { ...call('echo', { text: 'Hello NAME' }), path: '/mcp' });
  expect(answer.json.result.content[0].text).toBe('Hello Ada');
});

test('such a stream has the same limit', async () => {
  const app = createApp();
  app.addHook('preParsing', async (_request, _reply, payload) => {
    payload.resume();
    return new PassThrough().end(Buffer.alloc(2_000, ' '));
  });
  await mountFixture(app, { maxBodyBytes: 1_000 });
  expect((await send(await serveApp(app), { ...call('whoami'), path: '/mcp' })).status).toBe(413);
});
