import { createServer } from 'node:http';
import type { JsonSchema } from '@toolwright/json';
import type { AddressInfo } from 'node:net';
import { boot } from './support/booting.js';

test('a schema with a reference to another document is refused, and nothing is fetched', async () => {
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

describe('a reference to nothing', () => {
  const dangling: JsonSchema[] = [
    { type: 'object', properties: { x: { $ref: '#/$defs/missing' } } },
    {
      type: 'object',
      properties: { x: { $ref: '#/$defs/a' } },
      $defs: { a: { items: { $ref: '#/$defs/b' } } },
    },
    { anyOf: [{ $ref: '#/$defs/missing' }, { type: 'object' }] },
    { type: 'object', properties: { x: { $ref: '#nobody' } } },
  ];

  test.each(dangling)('is refused, in arguments and in results: %j', async (schema) => {
    const server = await boot({ services: [] });
    const tool = { name: 'lost', description: 'x', handler: () => ({}) };
    const asInput = () => server.tools.add({ ...tool, inputSchema: schema });
    expect(asInput).toThrow('leads nowhere');
    expect(asInput).toThrow('below $defs of the same schema');
    expect(() =>
      server.tools.add({ ...tool, inputSchema: { type: 'object' }, outputSchema: schema }),
    ).toThrow('leads nowhere');
  });

  test('is not a reference to the whole schema, to an anchor, to a part, or to `true`', async () => {
    const server = await boot({ services: [] });
    const inputSchema = {
      type: 'object',
      properties: {
        whole: { $ref: '#' },
        anchored: { $ref: '#here' },
        part: { $ref: '#/properties/text' },
        text: { type: 'string' },
        any: { $ref: '#/$defs/any' },
        'a/b': { $ref: '#/properties/a~1b/items', items: {} },
      },
      $defs: { any: true, b: { $anchor: 'here', type: 'number' } },
    } as unknown as JsonSchema;
    server.tools.add({ name: 'found', description: 'x', inputSchema, handler: () => 'x' });
    expect(server.tools.list().map(({ name }) => name)).toContain('found');
  });
});

test('a pattern that can take too long on a short text is refused', async () => {
  const server = await boot({ services: [] });
  const inputSchema = { type: 'object', properties: { slug: { type: 'string', pattern: '^(\\w+-?)+$' } } };
  const add = () => server.tools.add({ name: 'slow', description: 'x', inputSchema, handler: () => 'x' });
  expect(add).toThrow('TW_PATTERN_UNSAFE');
});
