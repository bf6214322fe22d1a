import { clientOf, mounted } from '../support/malicious-mount.js';
import type { Trick } from '../support/malicious-upstream.js';

/* Keywords that public servers publish, and that one host or another refuses, with the tool or with the whole request. */
const pair = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] };
const inputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    limit: { type: 'integer', exclusiveMinimum: 0 },
    parent: {
      oneOf: [
        { type: 'string', const: 'root' },
        { type: 'object', properties: { id: { type: 'string' } } },
      ],
    },
    labels: {
      type: 'object',
      propertyNames: { pattern: '^[a-z]+$' },
      additionalProperties: { type: 'string' },
    },
    pair,
    tags: { type: 'array' },
    cursor: { type: ['string', 'null'] },
  },
  dependentRequired: { labels: ['parent'] },
  required: ['limit'],
};
const outputSchema = { ...inputSchema, properties: { pair }, required: [], dependentRequired: {} };
const REFUSED = /"(?:\$schema|exclusiveMinimum|oneOf|propertyNames|prefixItems|dependentRequired)":/;

test.each(['2026-07-28', '2025-11-25'])(
  'a tool of a mounted server is published as hosts take it, and its calls are checked exactly (%s)',
  async (revision) => {
    const move = ({ result }: Trick) =>
      result({ content: [{ type: 'text', text: 'ran' }], structuredContent: {} });
    const { gateway } = await mounted([{ name: 'move', description: 'Moves.', inputSchema, outputSchema }], {
      calls: { move },
    });
    const client = await clientOf(gateway, { revision });
    const [tool] = await client.tools();
    expect(JSON.stringify([tool!.inputSchema, tool!.outputSchema])).not.toMatch(REFUSED);
    expect(tool!.inputSchema).toMatchObject({
      type: 'object',
      properties: {
        limit: { type: 'integer', minimum: 1 },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        tags: { type: 'array', items: {} },
        cursor: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
      required: ['limit'],
    });
    expect(
      await client.callText('move', { limit: 1, parent: 'root', labels: { a: 'b' }, pair: ['a', 1] }),
    ).toBe('ran');
    for (const bad of [
      { limit: 0 },
      { limit: 1, labels: { a: 'b' } },
      { limit: 1, parent: 'root', labels: { A1: 'b' } },
      { limit: 1, pair: [1, 'a'] },
    ])
      expect(await client.call('move', bad)).toMatchObject({ isError: true });
  },
);
