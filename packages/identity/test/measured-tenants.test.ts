import { createMcpServer, type McpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { RecordedTelemetry } from '../../core/test/support/recorded-telemetry.js';
import { measureTenants, type MeasureTenantsOptions } from '../src/index.js';

let telemetry: RecordedTelemetry;
let server: McpServer;
beforeEach(() => void (telemetry = new RecordedTelemetry()));
afterEach(async () => {
  await server.close();
  await telemetry.stop();
});

/** How many calls each series has after one call of each of these tenants. */
async function callsOf(tenants: (string | undefined)[], options?: MeasureTenantsOptions) {
  server = await createMcpServer({ name: 'pages', version: '1.0.0', services: [], audit: false });
  server.tools.add({
    name: 'look',
    description: 'Looks.',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
    handler: () => 'seen',
  });
  await measureTenants(server, options);
  for (const tenant of tenants) {
    const principal = { subject: 'ann', scopes: [], ...(tenant !== undefined && { tenant }) };
    const client = await connect(server, { principal });
    // The second call is refused, and counts as well.
    await client.call('look', { at: 'home' });
    await client.call('look', {});
    await client.close();
  }
  const points = await telemetry.points('toolwright.server.identity.tenant.duration');
  return Object.fromEntries(
    points.map(({ attributes, value }) => [
      attributes['toolwright.tenant'],
      (value as unknown as { count: number }).count,
    ]),
  );
}

test('each tenant has a series, up to a number; the others have one together', async () => {
  expect(await callsOf(['a', 'b', 'c', 'a', 'd', undefined], { most: 2 })).toEqual({ a: 4, b: 2, others: 4 });
});

test('a function names them, and one that throws names nobody', async () => {
  const nameOf = (tenant: string) => {
    if (tenant === 'odd') throw new Error('unknown');
    return tenant === 'acme' ? 'pro' : 'free';
  };
  expect(await callsOf(['acme', 'globex', 'odd'], { nameOf })).toEqual({ pro: 2, free: 2, others: 2 });
});

test('a wrong option is a problem', async () => {
  server = await createMcpServer({ name: 'pages', version: '1.0.0', services: [], audit: false });
  await expect(measureTenants(server, { most: 0 })).rejects.toThrow(/most.*measureTenants/s);
});
