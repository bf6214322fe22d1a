import { networkInterfaces } from 'node:os';
import { serveHttp } from '../../src/index.js';
import { createFixture } from '../support/fixture.js';
import { call, send } from '../support/wire.js';

test('the endpoint is served with a slash at the end of its path', async () => {
  const service = await serveHttp((await createFixture()).server, { port: 0, signals: false });
  const answer = await send(service.url, { ...call('echo', { text: 'hi' }), path: '/mcp/' });
  expect(answer.json.result.content[0].text).toBe('hi');
  expect((await send(service.url, { ...call('echo', { text: 'hi' }), path: '/mcp/more' })).status).toBe(404);
  await service.close();
});

test('the URL of a server on an address with a zone leaves the zone out', async () => {
  const named = Object.entries(networkInterfaces()).find(([, all]) =>
    all!.some(({ address }) => address === '::1'),
  );
  const host = named ? `::1%${named[0]}` : '127.0.0.1';
  const service = await serveHttp((await createFixture()).server, { port: 0, host, signals: false });
  expect(service.url).toBe(new URL(service.url).href);
  expect((await send(service.url, call('echo', { text: 'hi' }))).status).toBe(200);
  await service.close();
});

test('how long a connection may be idle can be set', async () => {
  const options = { port: 0, signals: false, keepAliveTimeout: '65s' } as const;
  const service = await serveHttp((await createFixture()).server, options);
  expect((await send(service.url, call('echo', { text: 'hi' }))).headers['keep-alive']).toBe('timeout=65');
  await service.close();
});
