import { bootSources, type BootedSources } from '../support/booted-sources.js';

const source = `import { McpService, McpTool } from '@toolwright/core';
  /** As clients of search engines declare their queries: one member of many, each of another form. */
  type ExactlyOne<T> = { [K in keyof T]: { [P in K]: T[P] } & { [P in Exclude<keyof T, K>]?: never } }[keyof T];
  interface Base { boost?: number }
  interface Bool extends Base { must?: Query | Query[]; filter?: Query | Query[] }
  interface Exists extends Base { field: string }
  interface Nested extends Base { path: string; query: Query }
  interface Term extends Base { value: string | number | boolean | null }
  interface Queries { bool?: Bool; exists?: Exists; nested?: Nested; term?: Record<string, Term | string | number> }
  type Query = ExactlyOne<Queries>;
  interface Circle { kind: 'circle'; radius: number }
  interface Square { kind: 'square'; side: number }
  interface Group { kind: 'group'; shapes: Shape[] }
  type Shape = Circle | Square | Group;
  interface Item { id: number; name: string }
  @McpService() export class Tools {
    @McpTool() search(query: Query, size?: number): string { return 'found' + (query && size); }
    @McpTool() draw(shape: Shape, size?: number): string { return 'drawn' + shape.kind + size; }
    @McpTool() store(items: string[] | Item[], counts?: Record<string, number> | { total: { parts: string[] } }): string {
      return 'stored' + items.length + counts;
    }
    @McpTool() either(value: Shape | string | null, size?: number): string { return 'taken' + value + size; }
    @McpTool() only(shape: Shape | Item, size?: number): string { return 'taken' + shape + size; }
  }`;

let booted: BootedSources;
beforeAll(async () => {
  booted = await bootSources({ 'tools.ts': source });
}, 60_000);
afterAll(() => booted.close());

/** The lines about the arguments. */
async function refusalOf(tool: string, args: object): Promise<string[]> {
  const { result } = await booted.wire.call(tool, args as Record<string, unknown>);
  expect(result.isError).toBe(true);
  return (result.content[0].text as string).split('\n').slice(1);
}

const missing = (path: string) => [`- ${path}: required (a string), but missing`];

test.each<[path: string, query: object]>([
  ['query.exists.field', { exists: {} }],
  ['query.bool.must.exists.field', { bool: { must: { exists: {} } } }],
  ['query.bool.must[1].exists.field', { bool: { must: [{ exists: { field: 'a' } }, { exists: {} }] } }],
  ['query.nested.query.exists.field', { nested: { path: 'a', query: { exists: {} } } }],
  [
    'query.bool.filter[0].bool.must.nested.query.exists.field',
    { bool: { filter: [{ bool: { must: { nested: { path: 'a', query: { exists: {} } } } } }] } },
  ],
])('a refusal says that %s is missing', async (path, query) => {
  expect(await refusalOf('search', { query })).toEqual(missing(path));
});

test('a refusal names what is wrong in the alternative that has the member', async () => {
  expect(await refusalOf('search', { query: { exists: { field: 3 } } })).toEqual([
    '- query.exists.field: expected a string, received the number 3',
  ]);
});

test('a member that no alternative has is compared with the members of all', async () => {
  expect(await refusalOf('search', { query: { exits: { field: 'a' } } })).toEqual([
    "- query.exits: not a known property; allowed: bool, exists, nested, term. Did you mean 'exists'?",
  ]);
});

test('a text where all alternatives are objects is not of their kind', async () => {
  expect(await refusalOf('search', { query: 'all' })).toEqual([
    '- query: expected an object, received the string "all"',
  ]);
});

test('the tag of a value says which alternative it was meant to be', async () => {
  expect(await refusalOf('draw', { shape: { kind: 'square', radius: 3 } })).toEqual([
    '- shape.side: required (a number), but missing',
    expect.stringContaining('- shape.radius: not a known property; allowed: kind, side'),
  ]);
  expect(await refusalOf('draw', { shape: { kind: 'group', shapes: [{ kind: 'circle' }] } })).toEqual([
    '- shape.shapes[0].radius: required (a number), but missing',
  ]);
});

test('a tag that no alternative has is refused with all tags', async () => {
  const tags = 'expected one of "circle", "square", "group", received the string "star"';
  expect(await refusalOf('draw', { shape: { kind: 'star', points: 5 } })).toEqual([`- shape.kind: ${tags}`]);
  expect(await refusalOf('either', { value: { kind: 'star' } })).toEqual([`- value.kind: ${tags}`]);
  expect(await refusalOf('only', { shape: { kind: 'star' } })).toEqual([`- shape.kind: ${tags}`]);
});

test('a missing tag is asked for with all tags', async () => {
  expect(await refusalOf('draw', { shape: {} })).toEqual([
    '- shape.kind: required (one of "circle", "square", "group"), but missing',
  ]);
  const [first] = await refusalOf('draw', { shape: { side: 3 } });
  expect(first).toBe('- shape.kind: required ("square"), but missing');
});

test('a value further inside says less than the kind of the parts', async () => {
  expect(await refusalOf('store', { items: [{ id: 'x' }] })).toEqual([
    '- items[0].name: required (a string), but missing',
    '- items[0].id: expected a number, received the string "x"',
  ]);
  expect(await refusalOf('store', { items: [], counts: { total: { parts: [1, 2] } } })).toEqual([
    '- counts.total.parts[0]: expected a string, received the number 1',
    '- counts.total.parts[1]: expected a string, received the number 2',
  ]);
});
