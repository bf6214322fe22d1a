import 'reflect-metadata';
import { bootForFile } from '../support/booted-sources.js';

const tools = bootForFile(`
import { McpService, McpTool } from '@toolwright/core';
import { Type } from 'class-transformer';
import { IsDate, IsDateString, IsIn, IsInt, IsObject, IsOptional, IsString, Max, MinLength, ValidateNested } from 'class-validator';
const Small = (): PropertyDecorator => (target, key) => Max(3, { each: true })(target, key as string);
export class Numbers { @Max(3, { each: true }) m!: Map<string, number> }
export class Whole { @IsObject() @IsInt({ each: true }) @Max(3, { each: true }) m!: Map<string, number> }
export class Maybe { @IsOptional() @Max(3, { each: true }) m?: Map<string, number> | null }
export class Pairs { @MinLength(2, { each: true }) m!: Map<number, string> }
export class Days { @IsDate({ each: true }) m!: Map<string, Date> }
export class Chosen { @IsIn(['a', 'b'], { each: true }) m!: Map<string, string> }
export class Composed { @Small() m!: Map<string, number> }
export class ComposedPairs { @Small() m!: Map<number, number> }
export class Item { @IsInt() n!: number }
export class Nested { @ValidateNested({ each: true }) @Type(() => Item) m!: Map<string, Item> }
export class SetOf { @Max(3, { each: true }) m!: Set<number> }
export class Texts { @IsString({ each: true }) @MinLength(2, { each: true }) m!: Set<string> }
export class Later { @IsDateString({}, { each: true }) m!: Map<string, Date> }
export class OfRecord { @Max(3, { each: true }) m!: Record<string, number> }
const show = ({ m }: { m?: unknown }) => JSON.stringify(m instanceof Map || m instanceof Set ? [...m] : m);
const big = (value: Iterable<unknown>) => [...value].map((each) => String(each)).join();
@McpService() export class Tools {
  @McpTool() numbers(a: Numbers): string { return show(a); }
  @McpTool() whole(a: Whole): string { return show(a); }
  @McpTool() maybe(a: Maybe): string { return show(a) ?? 'nothing'; }
  @McpTool() pairs(a: Pairs): string { return show(a); }
  @McpTool() days(a: Days): string { return show(a); }
  @McpTool() chosen(a: Chosen): string { return show(a); }
  @McpTool() composed(a: Composed): string { return show(a); }
  @McpTool() composedPairs(a: ComposedPairs): string { return show(a); }
  @McpTool() nested(a: Nested): string { return show(a); }
  @McpTool() setOf(a: SetOf): string { return show(a); }
  @McpTool() texts(a: Texts): string { return show(a); }
  @McpTool() later(a: Later): string { return show(a); }
  @McpTool() ofRecord(a: OfRecord): string { return show(a); }
  @McpTool() byNumber(x: number, m: Map<number, string>): string { return big(m); }
  @McpTool() byBigint(x: number, m: Map<bigint, string>): string { return big(m); }
  @McpTool() byDate(x: number, m: Map<Date, string>): string { return String(m.size); }
  @McpTool() byText(x: number, m: Map<string, string>): string { return big(m); }
  @McpTool() bigints(x: number, s: Set<bigint>): string { return big(s); }
  @McpTool() dates(x: number, s: Set<Date>): string { return String(s.size); }
  @McpTool() urls(x: number, s: Set<URL>): string { return String(s.size); }
}`);

const day = '2024-05-01T00:00:00.000Z';

test.each([
  ['numbers', { a: 1, b: 3 }, '[["a",1],["b",3]]'],
  ['numbers', { a: 1, b: 9 }, 'refused'],
  ['numbers', 1, 'refused'],
  ['numbers', {}, '[]'],
  ['whole', { a: 1 }, '[["a",1]]'],
  ['whole', { a: 1.5 }, 'refused'],
  ['maybe', { a: 9 }, 'refused'],
  ['maybe', { a: 1 }, '[["a",1]]'],
  ['maybe', null, 'null'],
  ['pairs', [[1, 'ab']], '[[1,"ab"]]'],
  ['pairs', [[1, 'a']], 'refused'],
  ['days', { a: day }, `[["a","${day}"]]`],
  ['days', { a: 'x' }, 'refused'],
  ['chosen', { a: 'a' }, '[["a","a"]]'],
  ['chosen', { a: 'c' }, 'refused'],
  ['composed', { a: 1 }, '[["a",1]]'],
  ['composed', { a: 9 }, 'refused'],
  ['composedPairs', [[9, 1]], '[[9,1]]'],
  ['composedPairs', [[1, 9]], 'refused'],
  ['nested', { a: { n: 1 } }, '[["a",{"n":1}]]'],
  ['nested', { a: { n: 'x' } }, 'refused'],
  ['setOf', [1, 3], '[1,3]'],
  ['setOf', [1, 9], 'refused'],
  ['texts', ['ab'], '["ab"]'],
  ['texts', ['ab', 'a'], 'refused'],
])(
  '`each` is for the values of a Map or a Set, as class-validator has it: %s(%j) is %s',
  async (name, m, text) => {
    expect(await tools.call(name, { m })).toBe(text);
  },
);

test('the rule stands at the values in the schema', () => {
  const property = (name: string) => tools.booted.schemas.get(name)!.properties!.m;
  expect(property('numbers')).toEqual({
    type: 'object',
    additionalProperties: { type: 'number', maximum: 3 },
  });
  expect(JSON.stringify(property('pairs'))).toContain('"minLength":2');
  expect(property('composed')).toEqual({
    type: 'object',
    additionalProperties: { type: 'number', maximum: 3 },
  });
});

test('the build names an `each` that class-validator never accepts', () => {
  const found = tools.booted.diagnostics.filter(({ code }) => code === 'TW_SCHEMA_DECORATOR_TYPE');
  expect(found.map(({ message }) => message)).toEqual([
    expect.stringContaining('a.m: @IsDateString checks the values of a Map after they are converted'),
    expect.stringContaining('a.m: @Max accepts only values of the type number, but the type is object.'),
  ]);
});

test.each([
  [
    'byNumber',
    {
      m: [
        [1, 'a'],
        [2, 'b'],
      ],
    },
    '1,a,2,b',
  ],
  [
    'byNumber',
    {
      m: [
        [1, 'a'],
        [1, 'b'],
      ],
    },
    'refused',
  ],
  [
    'byNumber',
    {
      m: [
        ['1', 'a'],
        ['01', 'b'],
      ],
    },
    'refused',
  ],
  [
    'byBigint',
    {
      m: [
        [1, 'a'],
        ['2', 'b'],
      ],
    },
    '1,a,2,b',
  ],
  [
    'byBigint',
    {
      m: [
        [1, 'a'],
        ['1', 'b'],
      ],
    },
    'refused',
  ],
  [
    'byBigint',
    {
      m: [
        ['1', 'a'],
        ['01', 'b'],
      ],
    },
    'refused',
  ],
  [
    'byDate',
    {
      m: [
        [day, 'a'],
        ['2024-05-01T02:00:00+02:00', 'b'],
      ],
    },
    'refused',
  ],
  [
    'byDate',
    {
      m: [
        [day, 'a'],
        ['2024-05-01T02:00:00+01:00', 'b'],
      ],
    },
    '2',
  ],
  ['byText', { m: { 1: 'a', '01': 'b' } }, '1,a,01,b'],
  ['bigints', { s: [1, '2'] }, '1,2'],
  ['bigints', { s: [1, '1'] }, 'refused'],
  ['dates', { s: [day, '2024-05-01T02:00:00+02:00'] }, 'refused'],
  ['dates', { s: [day, '2025-05-01T00:00:00Z'] }, '2'],
  ['urls', { s: ['http://a.b', 'http://a.b/'] }, 'refused'],
])('no entry is lost, because equal keys and items are refused: %s(%j) is %s', async (name, args, text) => {
  expect(await tools.call(name, { x: 1, ...args })).toBe(text);
});
