import type { McpServer } from '@toolwright/core';
import { notInstalled } from '@toolwright/operate/terminal';
import { loadCommands } from './load-commands.js';
import type { AppSnapshot } from './app-snapshot.js';

const PACKAGE = '@toolwright/mount';

/** The part of `@toolwright/mount/commands` that is used here. */
interface MountCommands {
  openGateway(file: string, cwd: string): Promise<McpServer>;
}

/**
 * Mounts the servers of a configuration file, and looks at the gateway that they make. It serves nobody.
 *
 * @throws {CommandError} when the package is not installed, or the file has problems
 */
export async function lookAtGateway(file: string, cwd: string, accepts: boolean): Promise<AppSnapshot> {
  const commands = loadCommands(PACKAGE, cwd) as MountCommands | undefined;
  if (!commands) throw notInstalled(PACKAGE);
  const server = await commands.openGateway(file, cwd);
  try {
    const { acceptUpstreams, snapshotServers } = await import('./child/snapshot-servers.js');
    if (accepts) await acceptUpstreams([server]);
    return await snapshotServers([server], undefined);
  } finally {
    await server.close(0);
  }
}
