import { isProgram } from './find-program.js';

const has = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv, ...files: string[]) => ({
  platform,
  env,
  isRunnable: (file: string) => files.includes(file),
});

const windows = { PATH: 'C:\\Windows;C:\\node', PATHEXT: '.COM;.EXE;.CMD' };

test.each([
  ['npx', 'C:\\node\\npx.cmd'],
  ['node', 'C:\\node\\node.exe'],
  ['node.exe', 'C:\\node\\node.exe'],
  ['server.v2', 'C:\\node\\server.v2.exe'],
  ['C:\\tools\\server', 'C:\\tools\\server.exe'],
  ['C:/tools/server.cmd', 'C:/tools/server.cmd'],
  ['.\\server', '.\\server.cmd'],
  ['server', 'server.exe'],
])('Windows finds %s as %s', (command, file) => {
  expect(isProgram(command, undefined, has('win32', windows, file))).toBe(true);
  expect(isProgram(command, undefined, has('win32', windows))).toBe(false);
});

test('Windows does not start a file for its name alone', () => {
  expect(isProgram('npx', undefined, has('win32', windows, 'C:\\node\\npx'))).toBe(false);
});

test('other systems look for the very name, in the folders of PATH', () => {
  const linux = has('linux', { PATH: '/usr/bin:/opt/bin' }, '/opt/bin/npx');
  expect(isProgram('npx', undefined, linux)).toBe(true);
  expect(isProgram('/opt/bin/npx', undefined, linux)).toBe(true);
  expect(isProgram('npx', '/usr/bin', linux)).toBe(false);
  expect(isProgram('./npx', undefined, linux)).toBe(false);
});
