import { win32 } from 'node:path';

/** A system on which processes end; tests pass their own. */
export interface EndingSystem {
  readonly platform: NodeJS.Platform;
  /** The folder of Windows. */
  readonly root: string | undefined;
  kill(pid: number, signal: NodeJS.Signals): void;
  run(program: string, args: readonly string[]): void;
}

const thisSystem: EndingSystem = {
  platform: process.platform,
  root: process.env['SystemRoot'],
  kill: (pid, signal) => void process.kill(pid, signal),
  run(program, args) {
    // Each server loads this file. The module would cost its start 3 ms, and Windows alone needs it.
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    // It waits for the program, because this process may be about to end itself.
    spawnSync(program, [...args], { stdio: 'ignore', windowsHide: true });
  },
};

/**
 * Ends a process and what it has started. Windows has no process groups and no signals: there `taskkill` ends the whole
 * tree, and at once, because a program over stdio has no window that could be asked to close.
 */
export function endGroup(
  pid: number | undefined,
  signal: NodeJS.Signals,
  system: Partial<EndingSystem> = {},
): void {
  if (pid === undefined) return;
  const { platform, root = 'C:\\Windows', kill, run } = { ...thisSystem, ...system };
  try {
    if (platform !== 'win32') return kill(-pid, signal);
    // By its whole path: a program of this name in the working directory would be found first.
    run(win32.join(root, 'System32', 'taskkill.exe'), ['/pid', String(pid), '/t', '/f']);
  } catch {
    // It has ended by itself.
  }
}
