import { spawnSync } from 'node:child_process';
import { packageManagerOf } from './package-manager.js';

/**
 * Installs the dependencies of an app, builds it and runs its test, with the package manager of its workspace
 * or the one that called us.
 *
 * @returns false if a step failed; its output is on the screen
 */
export function setUpApp(directory: string, env: Readonly<Record<string, string | undefined>>): boolean {
  const manager = packageManagerOf(directory, env);
  return steps.every(({ purpose, words }) => {
    const command = `${manager} ${words.join(' ')}`;
    process.stderr.write(`${purpose}: ${command}\n`);
    const begin = performance.now();
    if (!runIn(directory, manager, words)) return false;
    process.stderr.write(`${command} took ${((performance.now() - begin) / 1000).toFixed(1)} s.\n\n`);
    return true;
  });
}

/** Each takes more than a second, so the command says what it is doing. */
const steps = [
  { purpose: 'Getting the dependencies', words: ['install'] },
  { purpose: 'Building the app and running its tests', words: ['run', 'test'] },
];

/** The output goes to standard error, because standard output is for the results of the command. */
function runIn(directory: string, manager: string, words: string[]): boolean {
  const { status, error } = spawnSync(manager, words, {
    cwd: directory,
    stdio: ['ignore', process.stderr, process.stderr],
    // On Windows npm is a batch file, which only a shell can start.
    shell: process.platform === 'win32',
  });
  if (error) process.stderr.write(`${manager} cannot be started: ${error.message}\n`);
  return status === 0;
}
