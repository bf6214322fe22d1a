import { classOf, migrate, serverWith } from './migrate-source.js';

/** A server with one tool for each schema. */
function serverOf(schemas: readonly string[]): string {
  const tools = schemas.map(
    (schema, index) =>
      `server.registerTool('t${index}', { inputSchema: { value: ${schema} } }, ({ value }) => ({ content: [] }));`,
  );
  return `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
export function register(server: McpServer) {
${tools.join('\n')}
}
`;
}

const understood: [schema: string, parameter: string][] = [
  ['z.string()', 'value: string'],
  ['z.string().min(1).max(20)', '/** @minLength 1 @maxLength 20 */ value: string'],
  ['z.string().length(2)', '/** @minLength 2 @maxLength 2 */ value: string'],
  ['z.string().email()', '/** @format email */ value: string'],
  ['z.email()', '/** @format email */ value: string'],
  ['z.url()', '/** @format uri */ value: string'],
  ['z.uuid()', '/** @format uuid */ value: string'],
  ['z.iso.datetime()', '/** @format date-time */ value: string'],
  ['z.string().regex(/^[a-z]+$/)', '/** @pattern ^[a-z]+$ */ value: string,'],
  ["z.string().startsWith('a.b')", '/** @pattern ^a\\.b */ value: string,'],
  ['z.number().min(0).max(1)', '/** @minimum 0 @maximum 1 */ value: number'],
  ['z.number().int().positive()', '/** @exclusiveMinimum 0 */ value: integer'],
  ['z.int().multipleOf(5)', '/** @multipleOf 5 */ value: integer'],
  ['z.number().gt(-1).lt(1)', '/** @exclusiveMinimum -1 @exclusiveMaximum 1 */ value: number'],
  ['z.boolean().default(false)', 'value = false'],
  ['z.string().default("it\'s")', 'value = "it\'s"'],
  ['z.number().int().default(5)', 'value: integer = 5'],
  ['z.string().optional()', 'value?: string'],
  ['z.string().nullable()', 'value: string | null'],
  ['z.string().nullish()', 'value?: string | null'],
  ['z.optional(z.string())', 'value?: string'],
  ["z.enum(['a', 'b']).optional().default('a')", "value: 'a' | 'b' = 'a'"],
  ["z.literal('a')", "value: 'a'"],
  ['z.union([z.string(), z.number()])', 'value: string | number'],
  ['z.string().or(z.null())', 'value: string | null'],
  ['z.array(z.string()).min(1)', '/** @minItems 1 */ value: string[]'],
  ["z.array(z.enum(['a', 'b']))", "value: ('a' | 'b')[]"],
  ['z.tuple([z.string(), z.number()])', 'value: [string, number]'],
  ['z.record(z.string(), z.number())', 'value: Record<string, number>'],
  ['z.object({ a: z.string(), b: z.number().optional() })', 'value: { a: string; b?: number }'],
  ['z.unknown()', 'value: unknown'],
];

test('schemas become types with doc tags', () => {
  const { text, notes } = migrate(serverOf(understood.map(([schema]) => schema)));
  const parameters = [...text().matchAll(/ t\d+\(([\s\S]*?)\): ToolResult \{/g)].map(([, list]) =>
    list!.replace(/\s+/g, ' ').trim(),
  );
  expect(notes).toEqual([expect.stringContaining('function register')]);
  expect(understood.map(([schema], index) => [schema, parameters[index]])).toEqual(understood);
});

test('a description becomes @param, and a long one stays whole', () => {
  const { text } = migrate(
    serverWith(
      "{ query: z.string().min(2).describe('words to look for'), more: z.string().describe('one\\ntwo') }",
      '({ query, more }) => ({ content: [] })',
    ),
  );
  expect(classOf(text())).toContain(`  /**
   * Try it.
   * @param query words to look for
   */
  @McpTool({ name: 'try_it' })
  tryIt(
    /** @minLength 2 */ query: string,
    /**
     * one
     * two
     */
    more: string,
  ): ToolResult {`);
});

test('a constant gives its name to an interface, and items with rules get a name', () => {
  const before = `const EntitySchema = z.object({ name: z.string().describe('its name'), tags: z.array(z.string().min(2)) });`;
  const { text } = migrate(
    serverWith('{ entities: z.array(EntitySchema) }', '({ entities }) => ({ content: [] })', before),
  );
  expect(text()).toContain(`/** @minLength 2 */
type EntityTag = string;

interface Entity {
  /** its name */
  name: string;
  tags: EntityTag[];
}
`);
  expect(text()).toContain('tryIt(entities: Entity[])');
  // Nothing else needs the schema or zod.
  expect(text()).not.toContain('zod');
});

test('a name that the file has already is not taken again', () => {
  const before = `interface Entity { id: number }
export const known: Entity[] = [];
const EntitySchema = z.object({ name: z.string().describe('its name') });`;
  const { text } = migrate(
    serverWith('{ entity: EntitySchema }', '({ entity }) => ({ content: [] })', before),
  );
  expect(text()).toContain('tryIt(entity: EntityData)');
});

test('schemas are built from parts, also of other files', () => {
  const { text } = migrate(
    serverWith(
      '{ ...pageShape, kind: Base.extend({ more: z.boolean() }).pick({ more: true }), ...Other.shape }',
      '({ page, kind, other }) => ({ content: [] })',
      "import { Base, Other, pageShape } from './schemas.js';",
    ),
    {
      'src/schemas.ts': `import * as zod from 'zod';
export const pageShape = { page: zod.number().int().min(FIRST) };
const FIRST = 1;
export const Base = zod.object({ gone: zod.string() });
export const Other = zod.object({ other: zod.string() });
`,
    },
  );
  expect(text()).toContain('tryIt(/** @minimum 1 */ page: integer, kind: { more: boolean }, other: string)');
});

const refused: [schema: string, reason: string][] = [
  ['z.coerce.date()', 'z.coerce.date() of zod changes the value'],
  ['z.preprocess((v) => v, z.string())', 'z.preprocess() of zod changes the value'],
  ['z.string().trim()', '.trim() of zod changes the value'],
  ['z.string().transform(Number)', '.transform() of zod changes the value'],
  ['z.string().refine((v) => v !== "x")', '.refine() of zod has no counterpart'],
  ['z.string().regex(/a/i)', '.regex() of zod has no counterpart'],
  ['z.bigint()', 'z.bigint() of zod has no counterpart'],
  ['z.date()', 'z.date() of zod has no counterpart'],
  ['makeSchema()', 'makeSchema() is not a schema of zod that is written out here'],
  ['z.number().max(limit())', 'What max() of zod is given here is computed when the program runs.'],
  ["z.string().describe('a */ b')", 'A description has characters that a doc comment cannot hold'],
];

test('what types and doc tags cannot say is left alone, and the note says why', () => {
  const { text, notes } = migrate(serverOf(refused.map(([schema]) => schema)));
  expect(text()).toBe('(unchanged)');
  expect(notes).toHaveLength(refused.length);
  refused.forEach(([, reason], index) => {
    expect(notes[index]).toMatch(new RegExp(`^src/notes\\.ts:${index + 4}:\\d+: tool "t${index}": `));
    expect(notes[index]).toContain(reason);
  });
});
