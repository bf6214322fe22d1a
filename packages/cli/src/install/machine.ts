import { homedir } from 'node:os';
import type { Terminal } from '../terminal/terminal.js';

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
