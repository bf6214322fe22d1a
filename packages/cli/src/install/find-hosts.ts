import { type Host, type HostFile, hosts } from '@toolwright/hosts';
import { type Stats, existsSync, lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, posix, win32 } from 'node:path';
import { CommandError, type Terminal } from '@toolwright/operate/terminal';

/** The hosts whose files the command can change. */
export const editableHosts: readonly Host[] = hosts.filter(({ file, setUp }) => {
  const format = setUp({ name: 'any', command: 'any' }).config?.format;
  return file && (format === 'json' || format === 'toml');
});

/** Those of them that are on this machine: their file exists, or the folder of their own. */
export function findInstalledHosts(machine: Machine): Host[] {
  return editableHosts.filter(({ file }) => {
    const { path, base } = hostPath(file!, machine);
    const folder = dirname(path);
    return existsSync(path) || (folder !== base && existsSync(folder));
  });
}

/** Where a host keeps its settings on this machine. */
export interface HostPath {
  readonly path: string;
  /** The folder that belongs to the person or the system. Nothing below it may be a link. */
  readonly base: string;
}

/** Systems that are neither macOS nor Windows keep settings as Linux does. */
export function hostPath(file: HostFile, { platform, home, env }: Machine): HostPath {
  const { join, basename } = platform === 'win32' ? win32 : posix;
  const own = file.folderVariable && env[file.folderVariable];
  const written = platform === 'darwin' || platform === 'win32' ? file[platform] : file.linux;
  if (own) return { base: own, path: join(own, basename(written)) };
  if (written.startsWith('%APPDATA%')) {
    const base = env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
    return { base, path: join(base, written.slice('%APPDATA%'.length)) };
  }
  const config = env['XDG_CONFIG_HOME'];
  if (written === file.linux && platform !== 'darwin' && config && written.startsWith('~/.config/'))
    return { base: config, path: join(config, written.slice('~/.config/'.length)) };
  return { base: home, path: join(home, written.slice(1)) };
}

/**
 * The permissions of a file of settings; those for a new file if it does not exist.
 *
 * @throws {CommandError} if the file, or a folder on the way to it, is a link or something else. A link may lead to a
 *   place that others write, or into the repository of somebody's settings
 */
export function checkPath({ path, base }: HostPath): number {
  const file = statOf(path);
  if (file && !file.isFile()) throw new CommandError(`${describe(path, file)} Change it by hand.`);
  for (let folder = dirname(path); folder.length > base.length; folder = dirname(folder)) {
    const stats = statOf(folder);
    if (stats && !stats.isDirectory())
      throw new CommandError(`${describe(folder, stats)} Change it by hand.`);
  }
  // A new file is for nobody else.
  return file ? file.mode & 0o777 : 0o600;
}

function describe(path: string, stats: Stats): string {
  const what = stats.isSymbolicLink()
    ? 'is a symbolic link, and the command follows none'
    : 'is no file or folder';
  return `${path} ${what}.`;
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** What the paths of settings depend on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Terminal['env'];
}

/** The machine on which the command runs. */
export function thisMachine({ env }: Terminal): Machine {
  const { platform } = process;
  const home = (platform === 'win32' ? env['USERPROFILE'] : env['HOME']) ?? homedir();
  return { platform, home, env };
}
