import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileSnippets } from './compile-snippets.js';
import { readSnippets } from './snippet.js';

const root = join(__dirname, '../..');

const compile = (markdown: string) => compileSnippets(root, readSnippets('docs/page.md', markdown));
const block = (tags: string, ...lines: string[]) => ['```' + tags, ...lines, '```', ''].join('\n');

/** Pages below docs; what a build of the site wrote there is no source. */
const docs = () =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'docs'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\n');

function pages(): string[] {
  const readmes = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`);
  return ['README.md', ...docs(), ...readmes].filter(
    (page) => page.endsWith('.md') && existsSync(join(root, page)),
  );
}

test('every ts block of the documentation compiles', () => {
  const snippets = pages().flatMap((page) => readSnippets(page, readFileSync(join(root, page), 'utf8')));
  expect(compileSnippets(root, snippets)).toEqual([]);
});

test('an error is reported at its line and column on the page', () => {
  expect(
    compile(`# Title\n\n${block('ts', 'export const ok = 1;', 'const wrong: number = "text";')}`),
  ).toEqual(["docs/page.md:5:7: TS2322: Type 'string' is not assignable to type 'number'."]);
});

test('a block tagged "continues" sees the block before it, other blocks do not', () => {
  const first = block('ts', 'const limit = 10;');
  expect(compile(first + block('ts continues', 'limit.toFixed();'))).toEqual([]);
  expect(compile(first + block('ts', 'limit.toFixed();'))).toEqual([
    "docs/page.md:5:1: TS2304: Cannot find name 'limit'.",
  ]);
});

test('a block tagged "file=" can be imported by the blocks of its page', () => {
  const store = block('ts file=store.ts', 'export const answer = 42;');
  const use = block('ts', "import { answer } from './store.js';", 'answer.toFixed();');
  expect(compile(store + use)).toEqual([]);
});

test('a file that a page writes again replaces the earlier one for the blocks after it', () => {
  const first = block('ts file=store.ts', 'export const answer = 42;');
  const other = block('ts file=other.ts', 'export const name = "a";');
  const again = block('ts file=store.ts', 'export const answer = "forty-two";');
  const use = (call: string) =>
    block(
      'ts',
      "import { answer } from './store.js';",
      "import { name } from './other.js';",
      call,
      'name.trim();',
    );
  expect(compile(first + other + use('answer.toFixed();') + again + use('answer.trim();'))).toEqual([]);
  expect(compile(first + other + again + use('answer.toFixed();'))).toEqual([
    expect.stringMatching(/TS2551|TS2339/),
  ]);
});

test('blocks of other languages are left alone', () => {
  expect(compile(block('json', '{ "not": "TypeScript" }') + block('', 'const x: = ;'))).toEqual([]);
});
