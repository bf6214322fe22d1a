import { useInspected } from '../use-entries.js';

const files: Record<string, string> = {};

/** Adds a file with a tool. All files are compiled at once, because each project takes a second. */
function add(types: string, method: string): string {
  const number = Object.keys(files).length;
  files[`src/t${number}.ts`] = `
import { McpService, McpTool, Schema } from '@toolwright/core';
${types}
@McpService()
export class Tools {${method}
}
export { Schema };
`;
  return `src/t${number}.ts`;
}

const entries = useInspected(files);

function read(file: string) {
  const entry = entries.find(({ key }) => key.startsWith(`${file}#`))!;
  const { pin, other } = entry.input!.properties as Record<string, object>;
  const diagnostics = entry.diagnostics.filter(({ code }) => code !== 'TW_SCHEMA_DUPLICATE_NAME');
  return { pin, other, description: entry.description, diagnostics };
}

const taken = '\n  /** Takes it. */\n  @McpTool() take(a: A): void {}';
const marked = { type: 'string', writeOnly: true, minLength: 4 };

const ofTypes: [title: string, types: string][] = [
  [
    'two comments before a property',
    'interface A { /** @sensitive @minLength 4 */ /** The pin. */ pin: string }',
  ],
  [
    'two comments on two lines',
    'class A {\n  /** @sensitive */\n  /** The pin. @minLength 4 */\n  pin!: string;\n}',
  ],
  [
    'three comments',
    'class A {\n  /** @sensitive */\n  /** @minLength 4 */\n  /** The pin. */\n  pin!: string;\n}',
  ],
  [
    'comments around a decorator',
    'class A { /** @sensitive */ @Schema({ minLength: 4 }) /** The pin. */ pin!: string }',
  ],
  [
    'a comment behind the property',
    'interface A {\n  pin: string; /** The pin. @sensitive @minLength 4 */\n  other: string;\n}',
  ],
  [
    'a comment behind the last property',
    'class A {\n  pin!: string; /** The pin. @sensitive @minLength 4 */ // yes\n}',
  ],
  ['a comment behind the brace', 'interface A { /** The pin. @sensitive @minLength 4 */\n  pin: string }'],
  [
    'a constructor behind its brace',
    'class A { /** @param pin The pin. @sensitive @minLength 4 */ constructor(public pin: string) {} }',
  ],
  [
    'a constructor below its brace',
    'class A { /** @param pin The pin. @sensitive @minLength 4 */\n  constructor(public pin: string) {} }',
  ],
  [
    'two comments at a constructor',
    'class A {\n  /** @param pin The pin. @sensitive @minLength 4 */\n  /** Makes it. */\n  constructor(public pin: string) {}\n}',
  ],
];

test.each(ofTypes.map(([title, types]) => [title, add(types, taken)]))('%s: they are read', (_, file) => {
  const { pin, other, diagnostics } = read(file);
  expect(pin).toEqual({ ...marked, description: 'The pin.' });
  expect(other ?? { type: 'string' }).toEqual({ type: 'string' });
  expect(diagnostics).toEqual([]);
});

const ofMethods: [title: string, method: string][] = [
  [
    'two comments before a parameter',
    '\n/** T. */ @McpTool() take(/** @sensitive @minLength 4 */ /** The pin. */ pin: string, x = 1): void {}',
  ],
  [
    'a comment on the line of the brace',
    ' /** T. @param pin The pin. @sensitive @minLength 4 */ @McpTool() take(pin: string, x = 1): void {}',
  ],
  [
    'a comment between the decorator and the method',
    '\n@McpTool()\n/**\n * T.\n * @param pin The pin. @sensitive @minLength 4\n */\ntake(pin: string, x = 1): void {}',
  ],
  [
    'two comments of a method',
    '\n/** @param pin The pin. @sensitive @minLength 4 */\n/** T. */\n@McpTool() take(pin: string, x = 1): void {}',
  ],
];

test.each(ofMethods.map(([title, method]) => [title, add('', method)]))('%s: they are read', (_, file) => {
  const { pin, description, diagnostics } = read(file);
  expect(pin).toEqual({ ...marked, description: 'The pin.' });
  expect(description).toBe('T.');
  expect(diagnostics).toEqual([]);
});

const twoAtType = add(
  '/** All rights reserved. @sensitive */\n/** A pin. */\ntype Pin = string;\ninterface A { pin: Pin }',
  taken,
);

test('the text of an earlier comment at a statement is about the file, and its tags are facts', () => {
  expect(read(twoAtType).pin).toEqual({ type: 'string', writeOnly: true, description: 'A pin.' });
});

const lost: [detail: string, types: string, method: string, line: number][] = [
  [
    '@minLength is in the comment of take, and no @param is on its line.',
    '',
    '\n@McpTool()\n/**\n * T.\n * @minLength 4\n */\ntake(pin: string, x = 1): void {}',
    9,
  ],
  [
    '@minLength is in the comment of a constructor, and no @param is on its line.',
    'class A {\n  /**\n   * @param pin The pin.\n   * @minLength 4\n   */\n  constructor(readonly pin: string, readonly n = 7) {}\n}',
    taken,
    8,
  ],
  [
    'The tags of @param o.pin are in the comment of a constructor.',
    'class A {\n  /** @param o.pin The pin. @sensitive */\n  constructor(readonly o: { pin: string }) {}\n}',
    taken,
    5,
  ],
];

test.each(lost.map(([detail, types, method, line]) => [detail, add(types, method), line] as const))(
  'what reaches no value is an error at its place: %s',
  (detail, file, line) => {
    const { diagnostics } = read(file);
    expect(diagnostics).toMatchObject([{ code: 'TW_SCHEMA_LOST_RULE', severity: 'error', file, line }]);
    expect(diagnostics[0]!.message).toContain(detail);
  },
);

const unknown = add(
  '',
  '\n@McpTool()\n/**\n * T.\n * @param y no such parameter\n */\ntake(pin: string, x = 1): void {}',
);

test('a @param between the decorator and the method that names no parameter is a warning at its place', () => {
  expect(read(unknown).diagnostics).toMatchObject([
    { code: 'TW_SCHEMA_UNKNOWN_PARAM', file: unknown, line: 9 },
  ]);
});
