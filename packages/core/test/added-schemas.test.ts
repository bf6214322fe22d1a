import type { McpServer } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { boot } from './support/booting.js';
import { StatelessWire } from './wire/stateless-wire.js';

let server: McpServer;
let wire: StatelessWire;
beforeEach(async () => {
  server = await boot({ services: [] });
  wire = new StatelessWire(server);
});
afterEach(() => server.close(0));

/** Adds a tool that returns what its handler gets. */
const add = (inputSchema: ToolDefinition['inputSchema']) =>
  server.tools.add({
    name: 'show',
    description: 'Show.',
    inputSchema: inputSchema!,
    handler: (given) => JSON.stringify(given),
  });
const shown = async (args: Record<string, unknown>) => {
  const { result } = await wire.call('show', args);
  return [result.isError === true, result.content[0].text as string] as const;
};
const published = async () => (await wire.request('tools/list')).result.tools[0].inputSchema as object;

test.each([
  ['Zod', z.object({ word: z.string().min(2), limit: z.int().max(9).default(5) })],
  [
    'Valibot',
    toStandardJsonSchema(
      v.object({
        word: v.pipe(v.string(), v.minLength(2)),
        limit: v.optional(v.pipe(v.number(), v.integer(), v.maxValue(9)), 5),
      }),
    ),
  ],
  ['ArkType', type({ word: 'string >= 2', limit: 'number.integer <= 9 = 5' })],
])('a tool that is added takes a schema of %s', async (_, schema) => {
  add(schema as ToolDefinition['inputSchema']);
  expect(await published()).toMatchObject({
    type: 'object',
    properties: { word: { type: 'string', minLength: 2 }, limit: { type: 'integer', maximum: 9 } },
    required: ['word'],
  });
  expect(await shown({ word: 'ab' })).toEqual([false, '{"word":"ab","limit":5}']);
  expect(await shown({ word: 'a' })).toEqual([true, expect.stringContaining('word')]);
});

test('its handler gets the output, and rules that JSON Schema cannot say are checked', async () => {
  add(
    z.object({
      word: z
        .string()
        .trim()
        .refine((word) => word !== 'no', 'Say something else.'),
      tree: z.object({
        get children() {
          return z.array(z.string());
        },
      }),
    }),
  );
  expect(await shown({ word: ' yes ', tree: { children: [] } })).toEqual([
    false,
    '{"word":"yes","tree":{"children":[]}}',
  ]);
  expect(await shown({ word: 'no', tree: { children: [] } })).toEqual([
    true,
    expect.stringContaining('Say something else.'),
  ]);
});

test('a schema that cannot be published is refused, and the error says why', () => {
  expect(() => add(z.object({ when: z.date() }))).toThrow(/The input schema of show cannot be written.*zod/);
  expect(() => add(v.object({ word: v.string() }))).toThrow('Wrap it: toStandardJsonSchema(schema)');
});

test('a pattern of a library without the u flag is published with it', async () => {
  await server.close(0);
  wire = new StatelessWire((server = await boot({ services: [], lists: { patterns: 'all' } })));
  add(z.object({ address: z.email({ pattern: z.regexes.rfc5322Email }) }));
  expect(await shown({ address: 'ada@example.com' })).toEqual([false, '{"address":"ada@example.com"}']);
  expect(await shown({ address: 'ada@nowhere' })).toEqual([true, expect.stringContaining('address')]);
  expect(JSON.stringify(await published())).toContain('[0-9]{1,3}\\\\])');
});

// Each pair of a hand and a skin tone matches in two ways: 22 pairs take half a second, and 30 take minutes.
test('the pattern of v.emoji() is refused, because it takes exponential time', () => {
  const schema = v.object({ face: v.pipe(v.string(), v.emoji()) });
  expect(() => add(toStandardJsonSchema(schema) as ToolDefinition['inputSchema'])).toThrow(
    'TW_PATTERN_UNSAFE',
  );
});
