import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBase } from './base-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'bench-base-'));
const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
const git = (...args: string[]) =>
  execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim();

beforeAll(() => {
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(folder, 'file'), 'first');
  git('add', 'file');
  git('commit', '--quiet', '-m', 'first');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a branch is compared with the commit that it left, and main itself with nothing', () => {
  expect(findBase('main', folder)).toBeUndefined();
  const first = git('rev-parse', 'HEAD');
  git('switch', '--quiet', '--create', 'branch');
  git('commit', '--quiet', '--allow-empty', '-m', 'second');
  expect(findBase('main', folder)).toBe(first);
});

test('changes that are not committed are compared with the commit below them', () => {
  const head = git('rev-parse', 'HEAD');
  writeFileSync(join(folder, 'file'), 'changed');
  expect(findBase('HEAD', folder)).toBe(head);
});

test('a ref that is not here is named, with what to do', () => {
  expect(() => findBase('origin/main', folder)).toThrow(
    'This clone has no common history with "origin/main". Fetch it',
  );
});
