import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { makeFolder } from './make-folder.js';

let place: string;
beforeEach(() => (place = temporaryFolder()));

const isFolder = (path: string) => statSync(path).isDirectory();
const error = (path: string) => {
  try {
    makeFolder(path);
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code;
  }
  return undefined;
};

test('a folder is made with all that are missing above it, and may be there', () => {
  const folder = join(place, 'a/b/c');
  for (let time = 0; time < 2; time++) makeFolder(folder);
  expect(isFolder(folder)).toBe(true);
  makeFolder(join(place, 'relative/..'));
  mkdirSync(join(place, 'real'));
  symlinkSync(join(place, 'real'), join(place, 'link'));
  makeFolder(join(place, 'link/within'));
  expect(isFolder(join(place, 'real/within'))).toBe(true);
});

test('all that are made have the rights that were asked for', () => {
  makeFolder(join(place, 'a/b'), 0o700);
  if (process.platform === 'win32') return;
  for (const folder of ['a', 'a/b']) expect(statSync(join(place, folder)).mode & 0o777).toBe(0o700);
});

test('a file in the way is an error, and stays', () => {
  writeFileSync(join(place, 'file'), 'x');
  expect(error(join(place, 'file'))).toBe('EEXIST');
  expect(error(join(place, 'file/within'))).toBe('EEXIST');
  expect(isFolder(join(place, 'file'))).toBe(false);
});

// `recursive` of `mkdir` never returns from these, on the Node.js that we support.
test('a folder that takes none is an error at once', () => {
  if (existsSync('/proc/self'))
    for (const path of ['/proc/none', '/proc/none/of/these', '/proc/self/none'])
      expect(error(path)).toBe('ENOENT');
});
