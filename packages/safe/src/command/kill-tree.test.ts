import { killTree } from './kill-tree.js';

function record(platform: NodeJS.Platform, finds = true) {
  const asked: string[] = [];
  const system = {
    platform,
    root: undefined,
    kill: (pid: number, signal: NodeJS.Signals) => void asked.push(`kill ${pid} ${signal}`),
    run: (program: string, args: readonly string[], failed: () => void) => {
      asked.push([program, ...args].join(' '));
      if (!finds) failed();
    },
  };
  return { asked, system };
}

test('a program is killed with its group', () => {
  const { asked, system } = record('darwin');
  killTree(7, system);
  expect(asked).toEqual(['kill -7 SIGKILL']);
});

test('on Windows, it is killed with the tree below it', () => {
  const { asked, system } = record('win32');
  killTree(7, system);
  expect(asked).toEqual(['C:\\Windows\\System32\\taskkill.exe /pid 7 /t /f']);
});

test('on Windows, it is killed alone if there is no program for that', () => {
  const { asked, system } = record('win32', false);
  killTree(7, system);
  expect(asked.at(-1)).toBe('kill 7 SIGKILL');
});
