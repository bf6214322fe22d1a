import { Inside } from '@toolwright/console';
import { createMcpServer, type McpServer } from '@toolwright/core';
import type { AuditEvent } from '@toolwright/core/ports';
import { connect } from '@toolwright/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { RecordedTelemetry } from '../../core/test/support/recorded-telemetry.js';
import { openApiTools } from '../src/index';
import { auditTo } from '../../core/test/support/recording-sink.js';

const records: AuditEvent[] = [];
const audit = auditTo((event) => void records.push(event));
let api: Server;
let statuses: number[];
let server: McpServer;

beforeEach(async () => {
  records.length = 0;
  statuses = [];
  api = createServer((_request, response) => {
    const status = statuses.shift();
    if (status === undefined) response.destroy();
    else response.writeHead(status, { 'content-type': 'application/json' }).end('{"id":1,"name":"Rex"}');
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  server = await createMcpServer({ name: 'pets', version: '1.0.0', services: [], audit });
  await openApiTools(server, {
    spec: join(__dirname, 'fixtures/petstore.yaml'),
    include: ['getPet'],
    retries: 0,
    baseUrl: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
  });
});
afterEach(async () => {
  await server.close();
  api.closeAllConnections();
  await new Promise((resolve) => api.close(resolve));
});

test('each request to the API is in the audit log, with its status, its time and no argument', async () => {
  statuses = [200, 404];
  const client = await connect(server);
  for (let call = 0; call < 3; call += 1) await client.call('get_pet', { petId: 471_147_114_711 });
  const requests = records.filter(({ operation }) => operation === 'api request');
  expect(requests.map(({ name, outcome, loggable }) => [name, outcome, loggable])).toEqual([
    ['GET /pets/{petId}', 'ok', { status: 200, ms: expect.any(Number) }],
    ['GET /pets/{petId}', '4xx', { status: 404, ms: expect.any(Number) }],
    ['GET /pets/{petId}', 'no answer', { status: null, ms: expect.any(Number) }],
  ]);
  expect(JSON.stringify(requests)).not.toContain('471147114711');
});

test('requests are measured by operation and class of the status', async () => {
  const telemetry = new RecordedTelemetry();
  statuses = [200, 503];
  const client = await connect(server);
  for (let call = 0; call < 2; call += 1) await client.call('get_pet', { petId: 471_147_114_711 });
  const all = await telemetry.metrics();
  const found = all.find(({ descriptor }) => descriptor.name === 'toolwright.server.api.duration');
  await telemetry.stop();
  expect(found?.descriptor).toMatchObject({ unit: 's' });
  const tool = { 'gen_ai.tool.name': 'get_pet', 'toolwright.api.operation': 'GET /pets/{petId}' };
  expect(found?.dataPoints.map(({ attributes }) => attributes)).toEqual([
    { ...tool, 'toolwright.api.outcome': '2xx' },
    { ...tool, 'toolwright.api.outcome': '5xx' },
  ]);
});

test('the console shows where a tool came from', async () => {
  const inside = new Inside(() => undefined);
  inside.add(server);
  const { operations } = await inside.ask('surface', { server: 'pets' });
  expect(operations).toEqual([
    expect.objectContaining({ key: 'get_pet', origin: 'GET /pets/{petId} of petstore.yaml' }),
  ]);
});
