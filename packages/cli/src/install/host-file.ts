import { posix, win32 } from 'node:path';
import type { HostFile } from '@toolwright/http/hosts';
import type { Machine } from './machine.js';

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
