import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServer } from '@toolwright/core';
import { Inside } from '../src/index.js';
import { constructs, findConstructs, providers, verdictsOf } from '../src/inside/explain/explain-part.js';
import { exampleServer } from './support/example-server.js';

const guide = readFileSync(join(__dirname, '../../../docs/schemas.md'), 'utf8');
const cellsOf = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

test('the verdicts are those of the guide, which a test of the libraries writes', () => {
  const [, section] = /<!-- providers -->\s+([^]*?)\s+<!-- \/providers -->/.exec(guide)!;
  const [head, , ...rows] = section!.split('\n').map(cellsOf);
  expect(head!.slice(2)).toEqual(providers);
  const notKept = rows.filter((row) => row.slice(2).some((verdict) => verdict !== 'kept'));
  expect(notKept.map(([construct]) => construct)).toEqual(constructs);
  for (const [construct, , ...verdicts] of notKept)
    expect([construct, ...verdictsOf(construct as (typeof constructs)[number])]).toEqual([
      construct,
      ...verdicts,
    ]);
});

test.each([
  [{ type: 'string', pattern: '^a' }, ['@pattern']],
  [{ type: 'number', minimum: 1, maximum: 2 }, ['@minimum, @maximum']],
  [{ type: 'string', format: 'date-time' }, ['Date']],
  [{ type: 'string', format: 'email' }, ['@format']],
  [{ type: 'object', additionalProperties: { type: 'string' } }, ['Record<string, number>']],
  [
    { type: 'array', description: 'Items in this order: string.', maxItems: 1, items: { type: 'string' } },
    ['[string, number]'],
  ],
  [{ type: 'array', maxItems: 1 }, ['@minItems, @maxItems']],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, ['value?: string | null']],
  [{ anyOf: [{ type: 'object' }, { type: 'null' }] }, ['an object | null']],
  [{ anyOf: [{ enum: ['a'] }, { type: 'null' }] }, ["'urgent' | 'high' | … | null"]],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, ['string | number']],
  [
    { anyOf: [{ type: 'object' }, { type: 'object' }] },
    ["{ kind: 'circle', … } | { kind: 'square', … } inside"],
  ],
  [{ $ref: '#/$defs/Node' }, ['a type that contains itself']],
  [{ type: 'string' }, []],
])('%j has %j', (schema, expected) => {
  const found = findConstructs({ type: 'object', properties: { 'a/b': schema } });
  expect(found.map(({ construct }) => construct)).toEqual(expected);
  for (const { pointer } of found) expect(pointer).toBe('/properties/a~1b');
});

test('a required choice with null is another construct, and a closed object is one', () => {
  const value = { anyOf: [{ type: 'string' }, { type: 'null' }] };
  const found = findConstructs({ properties: { value }, required: ['value'], additionalProperties: false });
  expect(found.map(({ pointer, construct }) => [pointer, construct])).toEqual([
    ['/additionalProperties', 'no other parameters (additionalProperties: false)'],
    ['/properties/value', 'value: string | null'],
  ]);
});

describe('the explanation of a tool', () => {
  let server: McpServer;
  let inside: Inside;
  beforeEach(async () => {
    server = await exampleServer();
    inside = new Inside(() => undefined);
    inside.add(server);
  });
  afterEach(() => server.close(0));

  test('has its chain, its natural schemas and what is published of them', async () => {
    const explained = await inside.ask('explain', { server: 'example', tool: 'echo_all' });
    expect(explained.steps.map(({ name }) => name)).toEqual(expect.arrayContaining(['errors', 'validate']));
    expect(explained.contract).toBe(server.explain('echo_all')!.contract);
    expect(JSON.stringify(explained.input)).toContain('["string","null"]');
    expect(JSON.stringify(explained.published)).not.toContain('["string","null"]');
    expect(explained.constructs).toContainEqual(
      expect.objectContaining({ pointer: '/properties/text', construct: '@minLength, @maxLength' }),
    );
  });

  test('shows what is published to callers with the scope', async () => {
    const { published } = await inside.ask('explain', { server: 'example', tool: 'close_books' });
    expect(published).toMatchObject({ name: 'close_books' });
  });

  test('names all tools of one name, and shows what is published of the one that the console gets', async () => {
    for (const whom of ['acme', 'console'])
      server.tools.add({
        name: 'export',
        description: `Exports for ${whom}.`,
        annotations: { readOnlyHint: true },
        inputSchema: { type: 'object', properties: { [whom]: { type: 'string' } } },
        for: ({ tenant, subject } = { scopes: [], subject: '' }) => (tenant ?? subject) === whom,
        handler: () => whom,
      });
    const explained = await inside.ask('explain', { server: 'example', tool: 'export' });
    const all = [explained, ...(explained.others ?? [])];
    expect(all.map(({ description }) => description)).toEqual(['Exports for acme.', 'Exports for console.']);
    expect(all.map((each) => each.for)).toEqual([
      expect.stringContaining('whom'),
      expect.stringContaining('whom'),
    ]);
    expect(all.map(({ published }) => published?.['description'])).toEqual([
      undefined,
      'Exports for console.',
    ]);
    expect(all.map(({ input }) => Object.keys(input['properties'] as object))).toEqual([
      ['acme'],
      ['console'],
    ]);
    expect((await inside.ask('explain', { server: 'example', tool: 'echo_all' })).others).toBeUndefined();
  });

  test('does not exist for other tools', async () => {
    await expect(inside.ask('explain', { server: 'example', tool: 'none' })).rejects.toThrow(
      'There is no tool "none".',
    );
  });
});
