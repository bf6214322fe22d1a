import { killTree } from './kill-tree.js';

test('a program is killed with its group', () => {
  const kill = jest.fn();
  killTree(7, { platform: 'darwin', kill });
  expect(kill).toHaveBeenCalledWith(-7, 'SIGKILL');
});

test('on Windows, it is killed with the tree below it', () => {
  const run = jest.fn();
  killTree(7, { platform: 'win32', root: undefined, run });
  expect(run).toHaveBeenCalledWith('C:\\Windows\\System32\\taskkill.exe', ['/pid', '7', '/t', '/f']);
});

test('on Windows, it is killed alone if there is no program for that', async () => {
  const killed = new Promise((resolve) => {
    killTree(7, { platform: 'win32', root: '/nowhere', kill: (...asked) => resolve(asked) });
  });
  expect(await killed).toEqual([7, 'SIGKILL']);
});
