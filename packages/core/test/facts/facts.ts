/** Something that an author says about a value, how clients see it, and what holds a caller to it. */
export interface Fact {
  readonly name: string;
  /** The text before the member. Its end is on the line of the member, or on the line before it. */
  readonly written: string;
  /** The type of the member. */
  readonly type: string;
  /** The keyword of the schema of an argument, with its value. Some types have more than one spelling. */
  readonly keyword?: readonly [string, unknown];
  /** A value that fits, and one that does not. Words have only the first. */
  readonly good: unknown;
  readonly bad?: unknown;
  /** A mark of `@sensitive`. */
  readonly isMark?: true;
  /** A default that a call without the member gets. */
  readonly isDefault?: true;
  /** A decorator can only be at members and parameters of classes. */
  readonly isDecorator?: true;
  /** The decorators of class-validator check arguments, so results do not have them. */
  readonly onlyInput?: true;
}

/** A value that nothing may show. */
export const SECRET = 'canary-1234567';

type Row = [
  written: string,
  type: string,
  keyword: [string, unknown] | undefined,
  good: unknown,
  bad?: unknown,
];

const tags: readonly Row[] = [
  ['@minimum 2', 'number', ['minimum', 2], 3, 1],
  ['@maximum 5', 'number', ['maximum', 5], 3, 6],
  ['@exclusiveMinimum 2', 'number', ['exclusiveMinimum', 2], 3, 2],
  ['@exclusiveMaximum 4', 'number', ['exclusiveMaximum', 4], 3, 4],
  ['@multipleOf 3', 'number', ['multipleOf', 3], 3, 4],
  ['@TJS-type integer', 'number', ['type', 'integer'], 3, 3.5],
  ['@minLength 2', 'string', ['minLength', 2], 'aa', 'a'],
  ['@maxLength 3', 'string', ['maxLength', 3], 'aa', 'aaaa'],
  ['@pattern ^a+$', 'string', ['pattern', '^a+$'], 'aa', 'b'],
  ['@format uuid', 'string', ['format', 'uuid'], '0b9e3c1a-3c8e-4f0a-9d4e-7f1f0b8c1d2e', 'x'],
  ['@minItems 2', 'string[]', ['minItems', 2], ['a', 'b'], ['a']],
  ['@maxItems 2', 'string[]', ['maxItems', 2], ['a', 'b'], ['a', 'b', 'c']],
  ['@uniqueItems', 'string[]', ['uniqueItems', true], ['a', 'b'], ['a', 'a']],
  ['@deprecated', 'string', ['deprecated', true], 'aa'],
  ['@deprecated use b', 'string', ['description', 'Deprecated: use b.'], 'aa'],
  ['@example aa', 'string', ['examples', ['aa']], 'aa'],
  ['@x-unit metre', 'number', ['x-unit', 'metre'], 3],
  ['In words.', 'string', ['description', 'In words.'], 'aa'],
];

const marks: readonly string[] = ['@sensitive', '@writeOnly', '@format password'];

const decorators: readonly Row[] = [
  ['@MinLength(2)', 'string', ['minLength', 2], 'aa', 'a'],
  ['@MaxLength(5)', 'string', ['maxLength', 5], 'aa', 'aaaaaa'],
  ['@Matches(/^a+$/)', 'string', ['pattern', '^a+$'], 'aa', 'b'],
  ["@IsIn(['aa', 'bb'])", 'string', ['enum', ['aa', 'bb']], 'aa', 'cc'],
  ['@IsInt()', 'number', ['type', 'integer'], 3, 3.5],
  ['@Max(5)', 'number', ['maximum', 5], 3, 6],
  ['@ArrayMaxSize(2)', 'string[]', ['maxItems', 2], ['a', 'b'], ['a', 'b', 'c']],
  ["@Schema({ pattern: '^b$' })", 'string', ['pattern', '^b$'], 'b', 'a'],
  ['@Upper(5)', 'number', ['maximum', 5], 3, 6],
  ['@IsPhoneNumber()', 'string', undefined, '+4930123456', 'b'],
];

/** What a type says by itself. */
const types: readonly [type: string, keyword: [string, unknown] | undefined, good: unknown, bad: unknown][] =
  [
    ["'aa' | 'bb'", ['enum', ['aa', 'bb']], 'aa', 'cc'],
    ['Kind', undefined, 'aa', 'cc'],
    ['`a-${number}`', undefined, 'a-1', 'a-x'],
    ['number | null', undefined, 3, 'x'],
    ['[string, number]', undefined, ['a', 1], ['a', 'b']],
    ['{ deep: string }', undefined, { deep: 'a' }, { deep: 1 }],
  ];

const fromRow = ([written, type, keyword, good, bad]: Row): Omit<Fact, 'name'> => ({
  written,
  type,
  ...(keyword && { keyword }),
  good,
  ...(bad !== undefined && { bad }),
});

export const facts: readonly Fact[] = [
  ...[
    ...tags.map(fromRow),
    ...marks.map((written) => markOf(written)),
    {
      written: '@default dd',
      type: 'string',
      keyword: ['default', 'dd'],
      good: 'aa',
      isDefault: true,
    } as const,
  ].flatMap((tag) => [
    { ...tag, name: `${tag.written} on a line of its own`, written: `\n/** ${tag.written} */\n` },
    { ...tag, name: `${tag.written} on the line of the member`, written: `/** ${tag.written} */ ` },
  ]),
  ...[...decorators.map(fromRow), markOf('@Sensitive()'), markOf('@Hidden()')].map((each) => ({
    ...each,
    name: each.written,
    written: `${each.written} `,
    isDecorator: true as const,
    ...(!each.isMark && { onlyInput: true as const }),
  })),
  ...types.map(([type, keyword, good, bad]) => ({
    name: `the type ${type}`,
    written: '',
    type,
    ...(keyword && { keyword }),
    good,
    bad,
  })),
];

/** Its wrong value has another type. Nothing repeats it. */
function markOf(written: string): Omit<Fact, 'name'> {
  return { written, type: 'string', keyword: ['writeOnly', true], good: SECRET, bad: [SECRET], isMark: true };
}

/** What the facts are written with. */
export const PREAMBLE = `
import { McpService, McpTool, Schema, Sensitive } from '@toolwright/core';
import { ArrayMaxSize, IsIn, IsPhoneNumber, IsInt, Matches, Max, MaxLength, MinLength } from 'class-validator';
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/mapped-types';
enum Kind { A = 'aa', B = 'bb' }
const Upper = (most: number): PropertyDecorator => (target, key) => Max(most)(target, key as string);
const Hidden = (): PropertyDecorator => (target, key) => Sensitive()(target, key);
`;
