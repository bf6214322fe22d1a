import { spawn } from 'node:child_process';
import { endGroup } from '@toolwright/core/transport';

/**
 * Kills a program and what it has started, without waiting. On Windows a process leaves the tree below the program when
 * its parent ends, and where the program for a tree cannot be started, this one is killed alone.
 */
export function killTree(pid: number | undefined, system: Parameters<typeof endGroup>[2] = {}): void {
  const { kill = process.kill.bind(process) } = system;
  const run = (program: string, args: readonly string[]) =>
    void spawn(program, [...args], { stdio: 'ignore', windowsHide: true }).once('error', () =>
      kill(pid!, 'SIGKILL'),
    );
  endGroup(pid, 'SIGKILL', { run, ...system });
}
