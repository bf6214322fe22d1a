import { spawn } from 'node:child_process';
import { win32 } from 'node:path';

/** A system on which processes end; tests pass their own. */
interface KillingSystem {
  readonly platform: NodeJS.Platform;
  /** The folder of Windows. */
  readonly root: string | undefined;
  kill(pid: number, signal: NodeJS.Signals): void;
  run(program: string, args: readonly string[], failed: () => void): void;
}

const thisSystem: KillingSystem = {
  platform: process.platform,
  root: process.env['SystemRoot'],
  kill: (pid, signal) => void process.kill(pid, signal),
  run: (program, args, failed) =>
    void spawn(program, [...args], { stdio: 'ignore', windowsHide: true }).once('error', failed),
};

/**
 * Kills a program and what it has started: its process group, or on Windows, which has no groups, the tree below it. A
 * process there leaves the tree when its parent ends.
 */
export function killTree(
  pid: number | undefined,
  { platform, root = 'C:\\Windows', kill, run }: KillingSystem = thisSystem,
): void {
  if (pid === undefined) return;
  try {
    if (platform !== 'win32') return kill(-pid, 'SIGKILL');
    // By its whole path: a program of this name in the working directory would be found first.
    const taskkill = win32.join(root, 'System32', 'taskkill.exe');
    run(taskkill, ['/pid', String(pid), '/t', '/f'], () => kill(pid, 'SIGKILL'));
  } catch {
    // The process has just ended by itself.
  }
}
