import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { AppOptions } from './app-options.js';
import { folderInWorkspace, refuseScripts } from './pnpm-workspace.js';

/**
 * Installs the dependencies of an app, builds it and runs its test, with the package manager of its workspace
 * or the one that called us. If a step fails or is stopped, its output is on the screen, and behind it how to go on.
 *
 * @param cwd the folder of the person, from which the app is shown
 * @returns false if a step did not end well
 */
export function setUpApp(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): boolean {
  const manager = packageManagerOf(directory, env);
  return steps.every(({ purpose, words }, at) => {
    const command = `${manager} ${words.join(' ')}`;
    process.stderr.write(`${purpose}: ${command}\n`);
    const begin = performance.now();
    const outcome = runIn(directory, manager, words);
    if (outcome === 'done')
      process.stderr.write(`${command} took ${((performance.now() - begin) / 1000).toFixed(1)} s.\n\n`);
    else {
      const rest = steps.slice(at).map(({ words }) => `${manager} ${words.join(' ')}`);
      process.stderr.write(
        `\n"${command}" ${outcome}. The files of the app are written. Go on with:\n\n${inLines([...toFolder(directory, cwd), ...rest])}\nOr remove the folder, and begin again.\n`,
      );
    }
    return outcome === 'done';
  });
}

/**
 * Writes the settings without which the package manager refuses the dependencies of an app, or hides them. A project of Yarn
 * further up has decided that already.
 */
export function writeManagerSettings(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
  { test }: Pick<AppOptions, 'test'>,
): void {
  const isYarn = /^yarn\/(?!1\.)/.test(env['npm_config_user_agent'] ?? '');
  // Yarn from 2 on keeps packages as archives, where TypeScript finds the types of none of them.
  if (isYarn && lockedBy(directory) === undefined && folderInWorkspace(directory) === undefined)
    writeFileSync(join(directory, '.yarnrc.yml'), 'nodeLinker: node-modules\n');
  if (test !== 'jest' || packageManagerOf(directory, env) !== 'pnpm') return;
  const told = refuseScripts(directory);
  if (told !== undefined) process.stderr.write(told);
}

/** Each takes more than a second, so the command says what it is doing. */
const steps = [
  { purpose: 'Getting the dependencies', words: ['install'] },
  { purpose: 'Building the app and running its tests', words: ['run', 'test'] },
];

/** The output goes to standard error, because standard output is for the results of the command. */
function runIn(directory: string, manager: string, words: string[]): Outcome {
  // Ctrl+C ends the package manager, which has the same terminal. The person must still read what is left of it.
  const stay = () => undefined;
  process.on('SIGINT', stay);
  const { status, signal, error } = spawnSync(manager, words, {
    cwd: directory,
    stdio: ['ignore', process.stderr, process.stderr],
    // On Windows npm is a batch file, which only a shell can start.
    shell: process.platform === 'win32',
  });
  process.off('SIGINT', stay);
  if (error) process.stderr.write(`${manager} cannot be started: ${error.message}\n`);
  if (status === 0) return 'done';
  return signal !== null || status === INTERRUPTED ? 'was stopped' : 'has failed: its output is above';
}

/** What a step has come to, as a person reads it behind its command. */
type Outcome = 'done' | 'was stopped' | 'has failed: its output is above';

/** The exit code of programs that end by Ctrl+C: 128, and the number of the signal. */
const INTERRUPTED = 130;

type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const lockFiles: Record<string, PackageManager> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'package-lock.json': 'npm',
};

/** The package manager of the surrounding workspace, otherwise the one that called us, otherwise npm. */
export function packageManagerOf(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
): PackageManager {
  const called = /^(pnpm|yarn|bun)\//.exec(env['npm_config_user_agent'] ?? '')?.[1];
  return lockedBy(directory) ?? (called as PackageManager | undefined) ?? 'npm';
}

/** The package manager with a lockfile in this folder or a folder above it. */
function lockedBy(directory: string): PackageManager | undefined {
  const file = Object.keys(lockFiles).find((name) => isFilled(join(directory, name)));
  if (file !== undefined) return lockFiles[file];
  return dirname(directory) === directory ? undefined : lockedBy(dirname(directory));
}

/** An empty `yarn.lock` only says that no project further up is meant. */
function isFilled(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** A new app, and what was already done for it. */
interface MadeApp {
  /** Absolute path. */
  directory: string;
  options: AppOptions;
  installed: boolean;
}

/** The commands to type next, for a person in the folder `cwd`. */
export function nextSteps({ directory, options, installed }: MadeApp, cwd: string): string {
  const manager = packageManagerOf(directory, process.env);
  const { transport } = options;
  const steps = [
    ...toFolder(directory, cwd),
    // "bun test" would run the tests of Bun.
    ...(installed ? [] : [`${manager} install`, `${manager} run test`]),
    ...(transport === 'stdio' ? [] : [`${manager} run dev`]),
  ];
  const reached =
    transport === 'stdio'
      ? `Clients start it with: node ${quoted(join(directory, 'dist/main.js'))}`
      : 'It prints the address of a console, where you can call your tools.\nClients reach it at: http://127.0.0.1:3000/mcp';
  return `\nDone. Next:\n\n${inLines(steps)}\n${reached}\nAccess: ${accessOf(options)}\nVS Code finds it through .vscode/mcp.json.\n`;
}

const inLines = (commands: readonly string[]) => commands.map((command) => `  ${command}\n`).join('');

/** The command that leads from the folder `cwd` to an app; none if it is that folder. */
function toFolder(directory: string, cwd: string): string[] {
  const folder = relative(cwd, directory);
  return folder ? [`cd ${quoted(folder)}`] : [];
}

/** All shells take a path in these marks as one word, unless it has what none of them leaves alone. */
const quoted = (path: string): string => (/^[\p{L}\p{N}@%+=:,./\\_-]+$/u.test(path) ? path : `"${path}"`);

/** Who may call the app, in a sentence. A flag that went astray shows here. */
export function accessOf({ transport, signIn }: AppOptions): string {
  if (transport === 'stdio') return 'whoever can start it on this machine.';
  return {
    none: 'open to all programs on this machine, without sign-in. With --sign-in jwt or keys, callers say who they are.',
    jwt: 'callers sign in (--sign-in jwt). "npm run dev" has an issuer with test users.',
    keys: 'callers need an API key (--sign-in keys). Make one in the console of "npm run dev".',
    grants:
      'callers sign in (--sign-in grants). "npm run dev" has an issuer with test users, and an API to call for them.',
  }[signIn];
}
