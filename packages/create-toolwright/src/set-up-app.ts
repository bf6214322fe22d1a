import { spawnSync } from 'node:child_process';
import { packageManagerOf } from './package-manager.js';

/**
 * Installs the dependencies of an app, builds it and runs its test, with the package manager of its workspace or the
 * one that called us.
 *
 * @returns false when one of them failed; what it printed is on the screen
 */
export function setUpApp(directory: string, env: Readonly<Record<string, string | undefined>>): boolean {
  const manager = packageManagerOf(directory, env);
  return [['install'], ['run', 'test']].every((words) => runIn(directory, manager, words));
}

/** Output goes to standard error: standard output is for what the command itself has to say. */
function runIn(directory: string, manager: string, words: string[]): boolean {
  const { status, error } = spawnSync(manager, words, {
    cwd: directory,
    stdio: ['ignore', process.stderr, process.stderr],
    // npm is a batch file on Windows, which only a shell starts.
    shell: process.platform === 'win32',
  });
  if (error) process.stderr.write(`${manager} cannot be started: ${error.message}\n`);
  return status === 0;
}
