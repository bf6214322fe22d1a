import type { McpServer } from '@toolwright/core';
import { notInstalled } from '@toolwright/operate/terminal';
import { loadCommands } from '../load-commands.js';

const PACKAGE = '@toolwright/mount';

/** The part of `@toolwright/mount/commands` that is used here. */
interface MountCommands {
  openGateway(file: string, cwd: string): Promise<McpServer>;
}

/**
 * Mounts the servers of a configuration file.
 *
 * @throws {CommandError} when the package is not installed, or the file has problems
 */
export function openGateway(file: string): Promise<McpServer> {
  const commands = loadCommands(PACKAGE, process.cwd()) as MountCommands | undefined;
  if (!commands) throw notInstalled(PACKAGE);
  return commands.openGateway(file, process.cwd());
}
