// The commands that this package adds to `toolwright`. The command line finds them where the package is installed.
import type { McpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { mountCommand } from './command/mount-command.js';
import type { MountCommand } from './command/mount-commands.js';
import { serveCommand } from './command/serve-command.js';
import { readGateway } from './gateway/open-gateway.js';

export const commands: readonly MountCommand[] = [mountCommand, serveCommand];

/**
 * Makes the server of a configuration file, for commands that look at it. It serves nobody, and writes no audit log.
 *
 * @throws {Error} whose message has a line for each problem of the file
 */
export async function openGateway(file: string, cwd: string): Promise<McpServer> {
  return (await readGateway(file, cwd).open({ audit: false, logger: silentLogger })).server;
}

export type { MountConsole, MountCommand } from './command/mount-commands.js';
export { type Gateway, GatewayFileError, type GatewayOptions } from './gateway/open-gateway.js';
