import { accessSync, constants } from 'node:fs';
import { posix, win32 } from 'node:path';

/** A system that programs are looked for on. */
export interface ProgramSystem {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** True for a file that this process may start. */
  isRunnable(file: string): boolean;
}

/** True if the system finds a program of this name. */
export function isProgram(
  command: string,
  path: string | undefined = undefined,
  { platform, env, isRunnable }: ProgramSystem = thisSystem,
): boolean {
  const { isAbsolute, join, delimiter, sep } = platform === 'win32' ? win32 : posix;
  const endings = platform === 'win32' ? endingsOf(command, env['PATHEXT']) : [''];
  const isThere = (file: string) => endings.some((ending) => isRunnable(file + ending));
  if (isAbsolute(command) || command.includes('/') || command.includes(sep)) return isThere(command);
  const folders = (path ?? env['PATH'] ?? '').split(delimiter);
  // Windows looks into the working directory first.
  if (platform === 'win32') folders.unshift('.');
  return folders.some((folder) => isThere(join(folder, command)));
}

/** The endings that Windows adds to a name: `npx` is the file `npx.cmd`. */
function endingsOf(command: string, all = '.COM;.EXE;.BAT;.CMD'): readonly string[] {
  const endings = all.split(';').map((ending) => ending.toLowerCase());
  return endings.includes(win32.extname(command).toLowerCase()) ? ['', ...endings] : endings;
}

const thisSystem: ProgramSystem = {
  platform: process.platform,
  env: process.env,
  isRunnable(file) {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
};
