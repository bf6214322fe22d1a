import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileSnippets } from './compile-snippets.js';
import { readSnippets } from './snippet.js';

// The first program of a process reads every declaration that the pages use.
jest.setTimeout(60_000);

const root = join(__dirname, '../..');

const compile = (markdown: string) => compileSnippets(root, readSnippets('docs/page.md', markdown));
const block = (tags: string, ...lines: string[]) => ['```' + tags, ...lines, '```', ''].join('\n');

function pages(): string[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `docs/${name}`,
  );
  const readmes = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`);
  return ['README.md', ...docs, ...readmes].filter(
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

test('blocks of other languages are left alone', () => {
  expect(compile(block('json', '{ "not": "TypeScript" }') + block('', 'const x: = ;'))).toEqual([]);
});
