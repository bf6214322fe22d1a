import { clientOf, mounted } from './support/malicious-mount.js';
import type { Trick } from './support/malicious-upstream.js';

interface Draft {
  readonly name: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema: Record<string, unknown>;
  /** Arguments that the schema accepts, and ones that it refuses because of a keyword of its draft. */
  readonly good: readonly object[];
  readonly bad: readonly object[];
}

/** Schemas as generators of their time write them. */
const drafts: readonly Draft[] = [
  {
    // Swagger 2 and .NET generators: `id`, `definitions`, limits that are exclusive by a flag.
    name: 'draft-04',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-04/schema#',
      id: 'http://example.com/invoice#',
      type: 'object',
      definitions: {
        amount: { type: 'number', minimum: 0, exclusiveMinimum: true },
        line: { type: 'object', properties: { amount: { $ref: '#/definitions/amount' } } },
      },
      properties: {
        total: { $ref: '#/definitions/amount' },
        lines: { type: 'array', items: { $ref: 'http://example.com/invoice#/definitions/line' } },
        rate: { type: 'number', maximum: 1, exclusiveMaximum: true },
      },
      required: ['total'],
    },
    outputSchema: {
      $schema: 'http://json-schema.org/draft-04/schema#',
      type: 'object',
      properties: { count: { type: 'integer', minimum: 0, exclusiveMinimum: true } },
    },
    good: [{ total: 0.5, rate: 0.9, lines: [{ amount: 1 }] }],
    bad: [{ total: 0 }, { total: 1, rate: 1 }, { total: 1, lines: [{ amount: 0 }] }],
  },
  {
    // `const`, `contains`, `propertyNames` and `examples` came with draft-06.
    name: 'draft-06',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-06/schema#',
      $id: 'http://example.com/query.json',
      type: 'object',
      definitions: { word: { type: 'string', minLength: 2, examples: ['ok'] } },
      properties: {
        kind: { const: 'query' },
        words: { type: 'array', items: { $ref: '#/definitions/word' }, contains: { const: 'must' } },
        labels: { type: 'object', propertyNames: { pattern: '^[a-z]+$' } },
        size: { type: 'integer', exclusiveMinimum: 0 },
      },
      required: ['kind'],
    },
    outputSchema: { $schema: 'http://json-schema.org/draft-06/schema#', type: 'object' },
    good: [{ kind: 'query', words: ['must', 'go'], labels: { ab: 1 }, size: 1 }],
    bad: [
      { kind: 'other' },
      { kind: 'query', words: ['go'] },
      { kind: 'query', labels: { A1: 1 } },
      { kind: 'query', size: 0 },
    ],
  },
  {
    // zod-to-json-schema and typescript-json-schema: tuples, `dependencies`, `if`, siblings of a reference.
    name: 'draft-07',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      definitions: {
        point: {
          type: 'array',
          items: [{ type: 'number' }, { type: 'number' }],
          additionalItems: false,
        },
        tree: {
          type: 'object',
          properties: { children: { type: 'array', items: { $ref: '#/definitions/tree' } } },
          additionalProperties: false,
        },
      },
      properties: {
        at: { $ref: '#/definitions/point', description: 'A reference ignores what is beside it.' },
        tree: { $ref: '#/definitions/tree' },
        card: { type: 'string' },
        address: { type: 'string' },
        country: { type: 'string' },
        zip: { type: 'string' },
      },
      dependencies: { card: ['address'], address: { required: ['country'] } },
      if: { properties: { country: { const: 'DE' } }, required: ['country'] },
      then: { properties: { zip: { pattern: '^[0-9]{5}$' } } },
      additionalProperties: false,
    },
    outputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { at: { type: 'array', items: [{ type: 'number' }] } },
    },
    good: [
      { at: [1, 2], tree: { children: [{ children: [] }] } },
      { card: '1', address: 'a', country: 'DE', zip: '10115' },
    ],
    bad: [
      { at: [1, 2, 3] },
      { at: ['1', 2] },
      { tree: { children: [{ other: 1 }] } },
      { card: '1' },
      { address: 'a' },
      { country: 'DE', zip: 'x' },
    ],
  },
  {
    name: '2019-09',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      type: 'object',
      $recursiveAnchor: true,
      $defs: { pair: { type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'number' } } },
      properties: {
        pair: { $ref: '#/$defs/pair', maxItems: 3 },
        parent: { $recursiveRef: '#' },
        from: { type: 'integer' },
        to: { type: 'integer' },
      },
      dependentRequired: { from: ['to'] },
      unevaluatedProperties: false,
    },
    outputSchema: { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'object' },
    good: [
      { pair: ['a', 1], parent: { pair: ['b'] } },
      { from: 1, to: 2 },
    ],
    bad: [
      { pair: [1] },
      { pair: ['a', 'b'] },
      { pair: ['a', 1, 2, 3] },
      { parent: { pair: [1] } },
      { from: 1 },
      { other: 1 },
    ],
  },
];

/** Words that 2020-12 does not have, or that have another meaning in it. */
const OLD =
  /"(?:definitions|id|\$id|\$recursiveRef|\$recursiveAnchor|additionalItems|dependencies)":|draft-0|2019-09|"items":\[|"exclusiveM\w+":(?:true|false)/;

describe.each(drafts)('A tool with a schema of $name', ({ inputSchema, outputSchema, good, bad }) => {
  const definition = { name: 'old', description: 'Old.', inputSchema, outputSchema };
  const answer = (arrived: unknown[]) => (trick: Trick) => {
    arrived.push(trick.message.params['arguments']);
    trick.result({ content: [], structuredContent: {} });
  };

  it('is listed in 2020-12', async () => {
    const { gateway, mount } = await mounted([definition]);
    const client = await clientOf(gateway);
    const { tools } = (await client.request('tools/list', {})) as { tools: object[] };

    expect(mount.status().left).toEqual([]);
    expect(JSON.stringify(tools)).not.toMatch(OLD);
  });

  it('gets what its own draft accepts, and nothing else', async () => {
    const arrived: unknown[] = [];
    const { gateway } = await mounted([definition], { calls: { old: answer(arrived) } });
    const client = await clientOf(gateway);

    for (const args of good) expect(await client.call('old', args as never)).not.toHaveProperty('isError');
    expect(arrived).toEqual(good);
    for (const args of bad) expect(await client.call('old', args as never)).toMatchObject({ isError: true });
    expect(arrived).toHaveLength(good.length);
  });
});

it('A result that its own draft refuses is not passed on', async () => {
  const { name, ...draft } = drafts[0]!;
  const { inputSchema, outputSchema } = draft;
  const { gateway } = await mounted([{ name: 'old', description: name, inputSchema, outputSchema }], {
    calls: { old: ({ result }) => result({ content: [], structuredContent: { count: 0 } }) },
  });
  const client = await clientOf(gateway);

  const { isError, structuredContent } = await client.call('old', { total: 1 });
  expect([isError, structuredContent]).toEqual([true, undefined]);
});
