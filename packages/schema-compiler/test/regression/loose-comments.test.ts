import { useInspected } from '../use-entries.js';

/** Each with the tag that belongs to nothing, and types and tools on one line each, so that the line is known. */
const loose: [title: string, tag: string, types: string, method: string][] = [
  ['before the type of a property', 'sensitive', 'interface A { pin: /** @sensitive */ string }', 'a: A'],
  ['before the brace at the end', 'sensitive', 'interface A { pin: string; /** @sensitive */ }', 'a: A'],
  ['before the colon', 'minLength', 'class A { pin /** @minLength 3 */!: string }', 'a: A'],
  ['in a type literal', 'maxLength', 'interface A { in: { pin: /** @maxLength 3 */ string } }', 'a: A'],
  ['before the type of an alias', 'minLength', 'type A = /** @minLength 3 */ string;', 'a: A, b: A'],
  [
    'between export and interface',
    'sensitive',
    'export /** @sensitive */ interface A { pin: string }',
    'a: A',
  ],
  ['before the type of a parameter', 'sensitive', '', 'pin: /** @sensitive */ string, x = 1'],
  ['behind a parameter', 'sensitive', '', 'pin: string /** @sensitive */, x = 1'],
  ['at the items of a list', 'minLength', '', 'pins: (/** @minLength 3 */ string)[], x = 1'],
  ['misspelt at the items', 'Sensitive', '', 'pins: (/** @Sensitive */ string)[], x = 1'],
  [
    'with words behind a format',
    'format',
    'interface A { /** @format email The address. */ to: string }',
    'a: A',
  ],
  ['a format in capitals', 'format', 'interface A { /** @format Password */ pin: string }', 'a: A'],
  [
    'misspelt in the comment of a constructor',
    'Sensitive',
    'class A { /** @Sensitive @param pin It. */ constructor(readonly pin: string) {} }',
    'a: A',
  ],
  ['in brackets', 'minimum', 'interface A { /** At least (@minimum 1) */ n: number }', 'a: A'],
  ['behind a full stop', 'minimum', 'interface A { /** Must be positive.@minimum 1 */ n: number }', 'a: A'],
];

/** What looks like it, and is none, or is read. */
const read: [title: string, types: string, method: string][] = [
  [
    'comments in code',
    'export class A { pin = f(/** @sensitive */ 1); run(): void { /** @minimum 3 */ } }',
    'a: A',
  ],
  ['comments in comments', 'interface A { n: number; // /** @minimum 3 */\n}', 'a: A'],
  ['words in quotes', "interface A { kind: '/** @minimum 3 */'; n: number }", 'a: A'],
  [
    'code in words',
    'interface A { /** Not `(@minimum 1)`, me@pattern.com or (@minimum and others). */ n: number }',
    'a: A',
  ],
  ['a format of your own', 'interface A { /** @format phone */ n: string }', 'a: A'],
  ['other tags', 'interface A { n: /** @deprecated */ number }', 'a: A'],
  ['a comment about the file', '/** @sensitive */\n\n/** A. */\ninterface A { n: number }', 'a: A'],
];

const files: Record<string, string> = {};

function add(types: string, method: string): string {
  const number = Object.keys(files).length;
  files[`src/t${number}.ts`] = `import { McpService, McpTool } from '@toolwright/core';
declare function f(x: number): string; export { f };
${types}
@McpService() export class Tools {
/** Takes it. */
@McpTool() take(${method}): void {}
}`;
  return `src/t${number}.ts`;
}

const entries = useInspected(files);

const entryOf = (file: string) => entries.find(({ key }) => key.startsWith(`${file}#`))!;
const errorsOf = (file: string) => entryOf(file).diagnostics.filter(({ severity }) => severity === 'error');

test.each(
  loose.map(([title, tag, types, method]) => [title, tag, add(types, method), types ? 3 : 6] as const),
)('a tag that reaches nothing is an error at its line: %s, @%s', (_title, tag, file, line) => {
  expect(errorsOf(file)).toMatchObject([{ code: 'TW_SCHEMA_LOST_RULE', file, line }]);
  expect(errorsOf(file)[0]!.message).toContain(`@${tag} `);
});

test.each(read.map(([title, types, method]) => [title, add(types, method)] as const))(
  'this is no such tag: %s',
  (_title, file) => {
    expect(errorsOf(file)).toEqual([]);
  },
);

const behind = add(
  'type Pin = string; /** @minLength 7 */\ntype Other = string;',
  '\n  pin: string, /** The pin. @sensitive */\n  n: number, /** The number. @minimum 3 */\n  alias: Pin, other: Other\n',
);

test('a comment at the end of the line of a parameter or an alias is about it, and not about the next', () => {
  expect(errorsOf(behind)).toEqual([]);
  expect(entryOf(behind).input.properties).toEqual({
    pin: { type: 'string', description: 'The pin.', writeOnly: true },
    n: { type: 'number', description: 'The number.', minimum: 3 },
    alias: { type: 'string', minLength: 7 },
    other: { type: 'string' },
  });
});
