import { createMcpServer, RequireScopes } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { serveHttp, type HttpService } from '../../src/index.js';
import { initialize } from '../support/legacy-client.js';
import { LiveStream } from '../support/live-stream.js';
import { send } from '../support/wire.js';

let service: HttpService;
let stream: LiveStream;
afterEach(async () => {
  stream.close();
  await service.close();
});

test('on a stream of 2024-11-05 each message has the scopes of its own token', async () => {
  const server = await createMcpServer({ name: 'x', version: '1', services: [], logger: silentLogger });
  const policies = [RequireScopes.entry('pages:write')];
  server.tools.add({ name: 'erase', policies, handler: (_args, { principal }) => principal?.scopes?.join() });
  service = await serveHttp(server, {
    port: 0,
    signals: false,
    sse: true,
    principal: (req) => ({ subject: 'ada', scopes: String(req.headers['x-scopes'] ?? '').split(' ') }),
  });
  const write = { 'x-scopes': 'pages:write' };
  stream = await LiveStream.open(service.url, { method: 'GET', headers: write });
  const { data: path } = await stream.event(1);
  await send(service.url, { path, headers: write, body: initialize('2024-11-05') });
  await stream.event(2);
  await send(service.url, {
    path,
    headers: write,
    body: { jsonrpc: '2.0', method: 'notifications/initialized' },
  });
  const call = async (id: number, headers: Record<string, string>) => {
    const body = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'erase', arguments: {} } };
    await send(service.url, { path, headers, body });
    const { result, error } = (await stream.event(id)).message;
    return error ? error.message : result.content[0].text;
  };
  expect(await call(3, write)).toBe('pages:write');
  expect(await call(4, {})).toMatch(/needs the scope/);
  expect(await call(5, write)).toBe('pages:write');
});
