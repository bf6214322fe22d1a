import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boot } from './support/booting.js';

test('a schema that leads elsewhere is refused, and nobody goes there', async () => {
  let visits = 0;
  const canary = createServer((_req, res) => {
    visits++;
    res.end('{}');
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const elsewhere = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/schema.json`;
  const server = await boot({ services: [] });
  for (const inputSchema of [
    { type: 'object', properties: { x: { $ref: elsewhere } } },
    { type: 'object', $defs: { x: { $dynamicRef: `${elsewhere}#x` } } },
    { $schema: elsewhere, type: 'object' },
  ]) {
    const add = () => server.tools.add({ name: 'led', description: 'x', inputSchema, handler: () => 'x' });
    expect(add).toThrow('TW_SCHEMA_INVALID');
  }
  await new Promise((resolve) => canary.close(resolve));
  expect(visits).toBe(0);
});

test('a pattern that a short text can keep busy is refused', async () => {
  const server = await boot({ services: [] });
  const inputSchema = { type: 'object', properties: { slug: { type: 'string', pattern: '^(\\w+-?)+$' } } };
  const add = () => server.tools.add({ name: 'slow', description: 'x', inputSchema, handler: () => 'x' });
  expect(add).toThrow('TW_PATTERN_UNSAFE');
});
