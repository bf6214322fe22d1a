import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimsOf, hasTest, sectionOf, thoughtsOf } from './support/claims.js';
import { publishedPackages } from './support/packages.js';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const plain = (text: string) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ');

const readme = read('README.md');
const features = read('docs/features.md');
/** The README is one screen. Its table is a page of its own. */
const claiming = `${readme}\n${features}`;
const claims = claimsOf(read('docs/claims.md'));

/** What leads to other pages. The tests of links hold these sections. */
const signposts = ['Packages', 'License'];
/** Sentences that lead somewhere, or that a claim explains. Nothing can be tested about them. */
const others = [
  // A registry would have to be asked. The first release takes the sentences out.
  'No package is on npm yet: this works from the first release on.',
  '**Tutorial · In an Express app · In a monorepo · Sign-in**',
  'This page lists what Toolwright does, its packages and its examples.',
  'SECURITY.md explains how to report a vulnerability in private.',
  'A test compares each claim of this page and of the README with the test that holds it: see Claims.',
  'Each name leads to the guide, with figures where there are some.',
  'The Inspector of the README asks for Node.js 22.19, so npm warns on Node.js 20.',
];

test('docs/claims.md has claims, each with a test', () => {
  expect(claims.length).toBeGreaterThan(50);
  expect(claims.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

test.each(claims.map(({ words }) => words))('a reader is promised: %s', (words) => {
  expect(plain(claiming).includes(plain(words))).toBe(true);
});

const held = claims.flatMap(({ words, tests }) => tests.map((each) => ({ words, ...each })));

test.each(held)('a test holds "$words": $title', ({ title, file }) => {
  const path = join('docs', file);
  expect(existsSync(join(root, path))).toBe(true);
  expect(hasTest(read(path), title)).toBe(true);
});

test('every sentence of the README and of the features, and every part of their tables, has a claim', () => {
  // The list of commands has a test of its own.
  const parts = claiming
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

test('the features have how many checks the official suite makes, as its test counts them', () => {
  const [, heard] = /2025-11-25: all (\d+) checks pass/.exec(features)!;
  const suite = read('apps/conformance/test/official-suite.test.ts');
  expect(suite).toContain(`'2025-11-25': ${heard},`);
});

test('no speed is promised, because speeds belong to a machine: the guide has them, with their figures', () => {
  expect(claiming).not.toMatch(/\d ?(?:%|×|x |ms|µs|times|requests|calls) /);
  expect(readme).toContain('(docs/performance.md)');
});

test('the features list every package, with its folder', () => {
  const listed = [...sectionOf(features, 'Packages').matchAll(/^\| \[`([^`]+)`\]\(([^)]+)\)/gm)];
  const packages = [...publishedPackages].map(([folder, { name }]) => [name, `../packages/${folder}`]);
  expect(listed.map(([, name, folder]) => [name, folder]).sort()).toEqual(packages.sort());
});

test('the features list the commands that there are', () => {
  const [row] = /^\| Command line .*$/m.exec(features)!;
  const listed = [...row.matchAll(/`([a-z]+)[^`]*`/g)].map(([, command]) => command!);
  const help = execFileSync(process.execPath, [join(root, 'packages/cli/bin/toolwright.js'), '--help'], {
    encoding: 'utf8',
  });
  // Below the options, in groups by stage.
  const commands = [...help.slice(help.indexOf('Make:')).matchAll(/^ {2}([a-z]+) /gm)].map(
    ([, name]) => name!,
  );
  expect(new Set(listed)).toEqual(new Set(commands.filter((name) => name !== 'help')));
});
