import { posix, win32 } from 'node:path';
import { compilerPath } from './compiler-path.js';

test.each([
  ['C:\\app\\src\\a.ts', 'C:/app/src/a.ts'],
  // A watcher may keep the slashes of the folder that it was given.
  ['C:/app\\src/a.ts', 'C:/app/src/a.ts'],
  ['C:\\app\\src\\..\\a.ts', 'C:/app/a.ts'],
  ['\\\\server\\share\\a.ts', '//server/share/a.ts'],
])('on Windows, the compiler knows %s as %s', (file, known) => {
  expect(compilerPath(file, win32)).toBe(known);
});

test('elsewhere a backslash is a part of a name', () => {
  expect(compilerPath('/app/odd\\name.ts', posix)).toBe('/app/odd\\name.ts');
});
