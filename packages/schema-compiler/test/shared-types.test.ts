import { inlineReferences, schemaOf } from '@toolwright/json';
import { buildManifest, type BuildResult } from '../src/index.js';
import { TemporaryProject } from './temporary-project.js';

/** Twenty types, each of which uses the next one twice. A million paths lead from the first to the last. */
const LEVELS = 20;
const PADDING = Array.from({ length: 6 }, (_, index) => `a_property_with_a_long_name_${index}: string;`).join(
  ' ',
);

const lattice = (declare: (level: number, next: string) => string) =>
  Array.from({ length: LEVELS }, (_, level) =>
    declare(level, level + 1 < LEVELS ? `L${level + 1}` : `{ ${PADDING} }`),
  ).join('\n');

const forms: Record<string, (level: number, next: string) => string> = {
  interfaces: (level, next) => `export interface L${level} { left: ${next}; right: ${next}; ${PADDING} }`,
  aliases: (level, next) => `export type L${level} = { left: ${next}; right?: ${next} | null; ${PADDING} };`,
  tuples: (level, next) =>
    `export type L${level} = [${next}, ${next}, 'a_text_that_is_rather_long_${level}'];`,
  lists: (level, next) =>
    `export interface L${level} { left: ${next}[]; right: Record<string, ${next}>; ${PADDING} }`,
  unions: (level, next) =>
    `export type L${level} = { kind: 'a${level}'; a: ${next}; ${PADDING} } | { kind: 'b${level}'; b: ${next} } | string[];`,
  dates: (level, next) =>
    `export interface L${level} { left: ${next}; right: ${next}; at: Date; ${PADDING} }`,
  recursive: (level, next) =>
    `export interface L${level} { left: ${next}; right: ${next}; root?: L0; ${PADDING} }`,
};

async function build(types: string, methods: string): Promise<BuildResult> {
  const project = new TemporaryProject({
    'src/a.ts': `import { McpTool, Schema } from '@toolwright/core';
      ${types}
      export class A { ${methods} }`,
  });
  try {
    return await buildManifest({ project: project.project, cache: false });
  } finally {
    project.remove();
  }
}

test.each(Object.keys(forms))(
  'the manifest grows with the types, not with the paths between them: %s',
  async (form) => {
    const { manifest, diagnostics } = await build(
      lattice(forms[form]!),
      '@McpTool() one(value: L0): L1 { throw 0; } @McpTool() two(value: L0, n: number): string { throw 0; }',
    );
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(JSON.stringify(manifest).length).toBeLessThan(LEVELS * 5_000);
    const [one, two] = manifest.entries.map(({ input }) => schemaOf(manifest, input)!);
    expect(JSON.stringify(inlineReferences(one!)).length).toBeLessThan(LEVELS * 2_500);
    // The same objects, because everything derived from one is stored for both schemas.
    const shared = Object.keys(one!.$defs!).filter((name) => one!.$defs![name] === two!.$defs![name]);
    expect(shared).toHaveLength(Object.keys(one!.$defs!).length);
  },
);

test('a problem deep in a lattice is reported once, with the first path', async () => {
  const types = lattice((level, next) =>
    level + 1 === LEVELS
      ? `export interface L${level} { wrong: unknown; ${PADDING} }`
      : `export interface L${level} { left: ${next}; right: ${next}; ${PADDING} }`,
  );
  const { diagnostics } = await build(types, '@McpTool() one(value: L0): string { throw 0; }');
  expect(diagnostics.map(({ code }) => code)).toEqual(['TW_SCHEMA_UNTYPED']);
  expect(diagnostics[0]!.message).toContain('left.left.left.wrong');
});

test('different types with the same name get different definitions, and equal types of two tools share one', async () => {
  const { manifest } = await build(
    `namespace One { export interface Item { one: string; ${PADDING} } }
     namespace Two { export interface Item { two: string; ${PADDING} } }`,
    `@McpTool() a(x: One.Item, y: Two.Item): string { throw 0; }
     @McpTool() b(y: Two.Item, x: One.Item): string { throw 0; }`,
  );
  expect(Object.keys(manifest.$defs!).sort()).toEqual(['Item', 'Item_1']);
  const property = (index: number, name: string) =>
    (manifest.schemas[manifest.entries[index]!.input]!.properties as Record<string, unknown>)[name];
  expect(property(0, 'x')).toEqual(property(1, 'x'));
  expect(property(0, 'x')).not.toEqual(property(0, 'y'));
});

test('the values of a choice keep the order in which they are written', async () => {
  const { manifest } = await build(
    `const sizes = ['small', 'large', 'huge'] as const;
     type Level = 'low' | 'high' | 'extreme';
     enum Mode { Write = 'w', Append = 'a' }
     interface Table { zebra: 1; ant: 2 }`,
    `@McpTool() a(order: 'desc' | 'asc', also: 'asc' | 'desc', level: Level, levels?: Level[], size?: (typeof sizes)[number],
       mode?: Mode, key?: keyof Table, none?: 'z' | 'y' | null): string { throw 0; }`,
  );
  const { properties } = schemaOf(manifest, manifest.entries[0]!.input)!;
  const text = (name: string) => JSON.stringify(properties![name]);
  expect(properties!['order']!.enum).toEqual(['desc', 'asc']);
  expect(properties!['also']!.enum).toEqual(['asc', 'desc']);
  expect(properties!['level']!.enum).toEqual(['low', 'high', 'extreme']);
  expect(text('levels')).toContain('"low","high","extreme"');
  expect(properties!['size']!.enum).toEqual(['small', 'large', 'huge']);
  expect(properties!['mode']!.enum).toEqual(['w', 'a']);
  expect(properties!['key']!.enum).toEqual(['zebra', 'ant']);
  expect(text('none')).toContain('"z","y"');
});

describe('@Schema changes a shared type', () => {
  const types = `export interface Inner { a: string; b: number } export interface Outer { inner: Inner; other: Inner }`;
  const given = `{ properties: { inner: { properties: { a: { minLength: 3 } } } } }`;

  test.each([
    [
      'of the method',
      `@McpTool() @Schema({ properties: { outer: ${given} } }) run(outer: Outer, id: string): void {}`,
    ],
    ['of a parameter', `@McpTool() run(@Schema(${given}) outer: Outer, id: string): void {}`],
  ])('%s, and only there', async (_place, method) => {
    const { manifest, diagnostics } = await build(types, method);
    expect(diagnostics).toEqual([]);
    const { properties } = inlineReferences(schemaOf(manifest, manifest.entries[0]!.input)!);
    expect(properties!['outer']!.properties).toMatchObject({
      inner: {
        properties: { a: { type: 'string', minLength: 3 }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
      other: { properties: { a: { type: 'string' }, b: { type: 'number' } } },
    });
    expect(properties!['outer']!.properties!['other']!.properties!['a']).not.toHaveProperty('minLength');
  });
});
