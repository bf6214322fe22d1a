import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { renamePatiently, replaceFile, writeAtomically } from './write-atomically.js';

let folder: string;
let project: string;
let elsewhere: string;

beforeEach(() => {
  folder = temporaryFolder();
  project = join(folder, 'project');
  elsewhere = join(folder, 'elsewhere');
  for (const each of [project, elsewhere]) mkdirSync(each);
});

const read = (...names: string[]) => readFileSync(join(folder, ...names), 'utf8');

test('a new file and its folders are made', () => {
  writeAtomically(join(project, 'a/b/c.ts'), 'text', project);
  expect(read('project/a/b/c.ts')).toBe('text');
  expect(readdirSync(join(project, 'a/b'))).toEqual(['c.ts']);
});

test('an existing file is another file afterwards, and keeps its mode', () => {
  const path = join(project, 'run.sh');
  writeFileSync(path, 'old');
  chmodSync(path, 0o770);
  const { ino } = statSync(path);
  writeAtomically(path, 'new', project);
  expect([read('project/run.sh'), statSync(path).mode & 0o7777]).toEqual(['new', 0o770]);
  expect(statSync(path).ino).not.toBe(ino);
});

test('nothing is left when the file cannot be replaced', () => {
  mkdirSync(join(project, 'folder'));
  expect(() => writeAtomically(join(project, 'folder'), 'text', project)).toThrow();
  expect(readdirSync(project)).toEqual(['folder']);
});

test('a link within the project stays a link', () => {
  writeFileSync(join(project, 'real.ts'), 'old');
  symlinkSync('real.ts', join(project, 'link.ts'));
  writeAtomically(join(project, 'link.ts'), 'new', project);
  expect(read('project/real.ts')).toBe('new');
  expect(realpathSync(join(project, 'link.ts'))).toBe(join(project, 'real.ts'));
});

test('nothing is written through a link out of the project', () => {
  writeFileSync(join(elsewhere, 'file.ts'), 'old');
  symlinkSync(join(elsewhere, 'file.ts'), join(project, 'file.ts'));
  symlinkSync(elsewhere, join(project, 'src'));
  symlinkSync(join(elsewhere, 'missing.ts'), join(project, 'missing.ts'));
  for (const name of ['file.ts', 'src/file.ts', 'src/new.ts', 'src/deep/new.ts'])
    expect(() => writeAtomically(join(project, name), 'new', project)).toThrow('outside of');
  expect(() => writeAtomically(join(project, 'missing.ts'), 'new', project)).toThrow('a link to nothing');
  expect(readdirSync(elsewhere)).toEqual(['file.ts']);
  expect(read('elsewhere/file.ts')).toBe('old');
});

test('a file that cannot be written is named, and not the draft that takes its place', () => {
  writeFileSync(join(project, 'plain'), '');
  // A folder of this name is not there, and cannot be.
  const path = join(project, 'plain', 'a.ts');
  expect(() => replaceFile(path, 'new')).toThrow(expect.objectContaining({ code: 'ENOTDIR', path }) as Error);
});

test('a project may be reached by a link, and a path outside of it that somebody names is written', () => {
  symlinkSync(project, join(folder, 'link'));
  writeAtomically(join(folder, 'link/a.ts'), 'a', join(folder, 'link'));
  writeAtomically(join(folder, 'named/b.ts'), 'b', project);
  expect([read('project/a.ts'), read('named/b.ts')]).toEqual(['a', 'b']);
  expect(existsSync(join(project, 'b.ts'))).toBe(false);
});

/** A file that another program has open for the first attempts. */
function heldFile(platform: NodeJS.Platform, attempts: number, code = 'EPERM') {
  const waits: number[] = [];
  let left = attempts;
  const rename = () => {
    if (left-- > 0) throw Object.assign(new Error(code), { code });
  };
  return { waits, system: { platform, rename, wait: (ms: number) => void waits.push(ms) } };
}

test('on Windows, a file that another program has open for a moment is waited for', () => {
  const { waits, system } = heldFile('win32', 3);
  renamePatiently('a', 'b', system);
  expect(waits).toEqual([10, 20, 40]);
});

test('on Windows, it is not waited for ever, and not for other problems', () => {
  const forever = heldFile('win32', 100);
  expect(() => renamePatiently('a', 'b', forever.system)).toThrow('EPERM');
  expect(forever.waits).toHaveLength(6);
  const full = heldFile('win32', 1, 'ENOSPC');
  expect(() => renamePatiently('a', 'b', full.system)).toThrow('ENOSPC');
  expect(full.waits).toEqual([]);
});

test('elsewhere nothing is waited for', () => {
  const { waits, system } = heldFile('linux', 1);
  expect(() => renamePatiently('a', 'b', system)).toThrow('EPERM');
  expect(waits).toEqual([]);
});
