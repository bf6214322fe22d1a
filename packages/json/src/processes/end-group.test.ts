import { endGroup } from './end-group.js';

/** What a system was asked for. */
function record(platform: NodeJS.Platform) {
  const asked: string[] = [];
  const system = {
    platform,
    root: 'D:\\Windows',
    kill: (pid: number, signal: NodeJS.Signals) => void asked.push(`kill ${pid} ${signal}`),
    run: (program: string, args: readonly string[]) => void asked.push([program, ...args].join(' ')),
  };
  return { asked, system };
}

test('a process ends with its group', () => {
  const { asked, system } = record('linux');
  endGroup(42, 'SIGTERM', system);
  expect(asked).toEqual(['kill -42 SIGTERM']);
});

test('on Windows, it ends with the tree below it, by a program that nobody can put in its place', () => {
  const { asked, system } = record('win32');
  endGroup(42, 'SIGTERM', system);
  expect(asked).toEqual(['D:\\Windows\\System32\\taskkill.exe /pid 42 /t /f']);
});

test('a process that was never started, or has ended, is no failure', () => {
  const { asked, system } = record('linux');
  const kill = () => {
    throw new Error('ESRCH');
  };
  endGroup(undefined, 'SIGKILL', system);
  endGroup(42, 'SIGKILL', { ...system, kill });
  expect(asked).toEqual([]);
});
