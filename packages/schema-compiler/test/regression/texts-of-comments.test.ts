import { inspectProject, type InspectedEntry } from '../../src/index.js';
import { TemporaryProject } from '../temporary-project.js';

/** Doc comments without their stars, each with what a reader gets. */
const rows: readonly [title: string, comment: string, text: string][] = [
  [
    'lines of a paragraph are joined',
    'Returns a\nreference that\nis long.',
    'Returns a reference that is long.',
  ],
  ['paragraphs stay apart', 'One\nline.\n\nTwo.', 'One line.\n\nTwo.'],
  ['lists stay lists', 'Does:\n- one\n  thing\n- two\n  1. in it', 'Does:\n- one thing\n- two\n  1. in it'],
  ['a number in a sentence begins no list', 'Since\n2024. Then', 'Since 2024. Then'],
  ['tables stay', 'T:\n\n| a | b |\n| - | - |\n| 1 | 2 |', 'T:\n\n| a | b |\n| - | - |\n| 1 | 2 |'],
  ['tables without borders stay', 'a | b\n--|--\n1 | 2', 'a | b\n--|--\n1 | 2'],
  ['headings stay', '# Use\nit so\nand so', '# Use\nit so and so'],
  ['hard breaks stay', 'One  \ntwo', 'One\ntwo'],
  ['quotes stay', '> one\n> two', '> one\n> two'],
  ['indented code stays', 'Run:\n\n    a\n    b', 'Run:\n\n    a\n    b'],
  ['Chinese is joined without a space', '世界の\n文章', '世界の文章'],
  ['code stays', 'Run:\n```sh\na\n\n  b\n```\nand\nmore', 'Run:\n```sh\na\n\n  b\n```\nand more'],
  [
    'code with decorators is not cut',
    'Write:\n```ts\n@Tool()\nrun(@Arg() a) {}\n@sensitive\n```\nThen call.',
    'Write:\n```ts\n@Tool()\nrun(@Arg() a) {}\n@sensitive\n```\nThen call.',
  ],
  [
    'indented code with decorators is not cut',
    'Write:\n\n    run();\n    @minimum 3\n\n    @Tool()\n    @sensitive\n\n> Then call.',
    'Write:\n\n    run();\n    @minimum 3\n\n    @Tool()\n    @sensitive\n\n> Then call.',
  ],
  [
    'indented code may begin with a decorator',
    'Write:\n\n    @Tool()\n    run()\n\nCall.',
    'Write:\n\n    @Tool()\n    run()\n\nCall.',
  ],
  ['words of a link', 'See {@link A.b | these words} now.', 'See these words now.'],
  ['words of a link over lines', 'See {@link A.b | these\nwords}.', 'See these words.'],
  ['the name of a link', 'See {@link A.b} and {@linkcode c}.', 'See A.b and c.'],
  ['the address of a link', 'See {@link https://a.b/c the page}.', 'See the page (https://a.b/c).'],
  ['an address with an @ stays', 'Write to a@b.de or `@you`.', 'Write to a@b.de or `@you`.'],
  ['a tag for the text', '@description Said\nin a tag.', 'Said in a tag.'],
  ['a tag for the text below it', '@description\nSaid below\na tag.', 'Said below a tag.'],
  ['a tag without a text', 'Words.\n@description', 'Words.'],
  ['a tag for the text far below it', '@description\n\nSaid below.\n@see a', 'Said below.'],
];

const comment = (text: string) =>
  `/**\n${text
    .split('\n')
    .map((line) => `   * ${line}`)
    .join('\n')}\n   */`;

let project: TemporaryProject;
let entries: ReadonlyMap<string, InspectedEntry>;

beforeAll(async () => {
  const members = rows.map(([, text], index) => `${comment(text)}\n  p${index}: string;`);
  const tools = rows.map(([, text], index) => `${comment(text)}\n  @McpTool() t${index}(): void {}`);
  project = new TemporaryProject({
    'src/tools.ts': `
import { McpService, McpTool } from '@toolwright/core';
interface All {
  ${members.join('\n  ')}
}
@McpService()
export class Tools {
  ${tools.join('\n  ')}
  /** All. */
  @McpTool() all(all: All): void {}
  /**
   * Says.
   * @param a - the a
   *   goes on
   * @param b one of:
   *   - x
   *   - y
   * @param c the c
   * \`\`\`ts
   * @Arg()
   * \`\`\`
   * and so on @minLength 2
   */
  @McpTool() params(a: string, b: string, c: string): void {}
  /**
   * Open \`\`\`
   * \`\`\`ts
   * @param a the a @sensitive
   */
  @McpTool() open(a: string): void {}
  @McpTool()
  /** Behind the decorator. */
  behind(): void {}
  /**
    No stars
    here
   */
  @McpTool() plain(): void {}
  /** Old. @param to the address @deprecated use \`by\`. */
  @McpTool() old(to: string, by: { own: Small; both: Child; list: Listed }): void {}
}
/** What it is. */
interface Small {
  /** @deprecated use
   * {@link Small.b | the other}. */
  a: string;
  /** Words. @deprecated */
  b: string;
}
class Base {
  /** Of the base. @deprecated use b */
  a!: string;
  /** @deprecated use a */
  kind!: Kind;
  /** @deprecated use a */
  next?: Child;
}
class Child extends Base {
  /** Of the child. */
  declare a: string;
}
/** A kind. */
type Kind = 'a' | 'b';
/** @deprecated use Small */
interface Listed { x: 1 }
`,
  });
  const found = await inspectProject({ project: project.project, cache: false });
  entries = new Map(found.map((entry) => [entry.name, entry]));
});
afterAll(() => project.remove());

test.each(rows.map(([title, , text], index) => ({ title, text, index })))('$title', ({ text, index }) => {
  expect(entries.get(`t${index}`)!.description).toBe(text);
  expect(entries.get('all')!.input.properties![`p${index}`]!.description).toBe(text);
});

test('texts of parameters are read in the same way', () => {
  expect(entries.get('params')!.input.properties).toMatchObject({
    a: { description: 'the a goes on' },
    b: { description: 'one of:\n  - x\n  - y' },
    c: { description: 'the c\n```ts\n@Arg()\n```\nand so on' },
  });
});

test('a fence without an end hides no tag', () => {
  expect(entries.get('open')!.input.properties!['a']).toMatchObject({
    description: 'the a',
    writeOnly: true,
  });
});

test('a comment behind the decorator of a method, or without stars, is read', () => {
  expect(entries.get('behind')!.description).toBe('Behind the decorator.');
  expect(entries.get('plain')!.description).toBe('No stars here');
});

test('a tag that is indented below a blank line is a tag', async () => {
  const marked = new TemporaryProject({
    'src/tools.ts': `
import { McpService, McpTool } from '@toolwright/core';
interface A {
  /**
   * The pin.
   *
   *     @sensitive
   *     @minLength 4
   */
  pin: string;
}
@McpService() export class Tools { /** Takes it. */ @McpTool() take(a: A): void {} }`,
  });
  const [entry] = await inspectProject({ project: marked.project, cache: false });
  expect(entry!.input.properties!['pin']).toMatchObject({
    writeOnly: true,
    minLength: 4,
    description: 'The pin.',
  });
  marked.remove();
});

test('the words of @deprecated begin the description, as they do for tools', () => {
  const { properties, $defs } = entries.get('old')!.input;
  const { to, by } = properties!;
  expect(to).toMatchObject({ description: 'Deprecated: use `by`. the address', deprecated: true });
  const { own, list } = by!.properties!;
  expect(own!.properties).toMatchObject({
    a: { description: 'Deprecated: use the other.', deprecated: true },
    b: { description: 'Words.', deprecated: true },
  });
  expect(list).toMatchObject({ description: 'Deprecated: use Small.', deprecated: true });
  expect($defs!['Child']!.properties).toEqual({
    a: { type: 'string', description: 'Deprecated: use b. Of the child.', deprecated: true },
    kind: { type: 'string', enum: ['a', 'b'], description: 'Deprecated: use a. A kind.', deprecated: true },
    next: { $ref: '#/$defs/Child', description: 'Deprecated: use a.', deprecated: true },
  });
});
