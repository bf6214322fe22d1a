import { relative } from 'node:path';
import { findBuild } from '@toolwright/operate';
import type { AppSnapshot } from './app-snapshot.js';
import { askChild, builtChild } from './ask-child.js';

interface Look {
  /** Whose lists are read. Default: those of a caller without a tenant. */
  readonly tenant?: string | undefined;
  /** The app accepts what servers behind offer now. */
  readonly accepts?: boolean | undefined;
}

/**
 * Runs an app in a process of its own up to the point where it would serve, and looks at the servers that it made. It
 * opens no port, reads no input and writes no audit log; works on no task and runs no schedule.
 *
 * @param named the compiled file, as `--app` has it
 * @throws {CommandError} with one line, if the file is not there or makes no server
 */
export async function lookAtApp(
  named: string,
  cwd: string,
  { tenant, accepts }: Look = {},
): Promise<AppSnapshot> {
  const file = findBuild(named, cwd);
  const { snapshot } = await askChild({
    args: ['--require', builtChild('look-at-app'), file],
    cwd,
    env: {
      TOOLWRIGHT_LOOK: String(process.pid),
      ...(tenant !== undefined && { TOOLWRIGHT_LOOK_TENANT: tenant }),
      ...(accepts && { TOOLWRIGHT_LOOK_ACCEPT: '1' }),
    },
    named: relative(cwd, file),
  });
  return snapshot;
}
