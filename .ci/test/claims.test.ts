import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimsOf, hasTest, sectionOf, thoughtsOf } from './support/claims.js';
import { publishedPackages } from './support/packages.js';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const plain = (text: string) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ');

const readme = read('README.md');
const claims = claimsOf(read('docs/claims.md'));

/** Where the README leads to other pages. The tests of links hold these sections. */
const signposts = ['Packages', 'Documentation', 'License'];
/** Sentences that lead somewhere, or that a claim explains. Nothing can be tested about them. */
const others = [
  // A registry would have to be asked. The first release takes the sentences out.
  'No package is on npm yet: this works from the first release on.',
  'Until then, start from a clone.',
  'A decorator-based server framework for the Model Context Protocol in TypeScript.',
  'SECURITY.md explains how to report a vulnerability in private.',
  'A test compares every claim of this page with the test that holds it: see Claims.',
  'Each name leads to the guide, with figures where there are some.',
  'The Inspector of this version asks for Node.js 22.19, so npm warns on Node.js 20.',
];

test('docs/claims.md has claims, each with a test', () => {
  expect(claims.length).toBeGreaterThan(50);
  expect(claims.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

test.each(claims.map(({ words }) => words))('the README says: %s', (words) => {
  expect(plain(readme)).toContain(plain(words));
});

const held = claims.flatMap(({ words, tests }) => tests.map((each) => ({ words, ...each })));

test.each(held)('a test holds "$words": $title', ({ title, file }) => {
  const path = join('docs', file);
  expect(existsSync(join(root, path))).toBe(true);
  expect(hasTest(read(path), title)).toBe(true);
});

test('every sentence of the README, and every part of its tables, has a claim', () => {
  // The list of commands has a test of its own.
  const parts = readme
    .replace(/^\| Command line .*$/m, '')
    .split(/^(?=## )/m)
    .filter((part) => !signposts.some((name) => part.startsWith(`## ${name}\n`)));
  const words = claims.map((claim) => plain(claim.words));
  const without = parts
    .flatMap(thoughtsOf)
    .filter(
      (thought) =>
        !others.includes(thought) && !words.some((each) => thought.includes(each) || each.includes(thought)),
    );
  expect(without).toEqual([]);
});

test('a sentence or a part of a table without a claim is found', () => {
  const part =
    'One\nclaim. A `second` one.\n\n| A | B |\n| - | - |\n| x | third; fourth, or fifth |\n\n```ts\ncode();\n```\n';
  expect(thoughtsOf(part)).toEqual(['One claim.', 'A `second` one.', 'third', 'fourth', 'fifth']);
});

test('the README tells how many checks the official suite makes, as its test counts them', () => {
  const [, heard] = /2025-11-25: all (\d+) checks pass/.exec(readme)!;
  const suite = read('apps/conformance/test/official-suite.test.ts');
  expect(suite).toContain(`'2025-11-25': ${heard},`);
});

test('the README tells no speed, because speeds belong to a machine: the guide has them, with their figures', () => {
  expect(readme).not.toMatch(/\d ?(?:%|×|x |ms|µs|times|requests|calls) /);
  expect(readme).toContain('(docs/performance.md)');
});

test('the README lists every package, with its folder', () => {
  const listed = [...sectionOf(readme, 'Packages').matchAll(/^\| \[`([^`]+)`\]\(([^)]+)\)/gm)];
  const packages = [...publishedPackages].map(([folder, { name }]) => [name, `packages/${folder}`]);
  expect(listed.map(([, name, folder]) => [name, folder]).sort()).toEqual(packages.sort());
});

test('the README lists the commands that there are', () => {
  const [row] = /^\| Command line .*$/m.exec(readme)!;
  const listed = [...row.matchAll(/`([a-z]+)[^`]*`/g)].map(([, command]) => command!);
  const help = execFileSync(process.execPath, [join(root, 'packages/cli/bin/toolwright.js'), '--help'], {
    encoding: 'utf8',
  });
  const commands = [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm)].map(
    ([, name]) => name!,
  );
  expect(new Set(listed)).toEqual(new Set(commands.filter((name) => name !== 'help')));
});
