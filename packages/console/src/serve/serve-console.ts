import type { McpServer } from '@toolwright/core';
import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import { type MountedAccess, accessRule, hubOfServers } from '../hub/hub-of-servers.js';
import { ConsoleHandler } from './console-handler.js';
import { LoopbackServer } from './loopback-server.js';
import { refuse } from './respond.js';
import { TokenDoor } from './token-door.js';

export interface ServeConsoleOptions {
  /** A port that is taken is replaced by any free one. Default: any free one. */
  readonly port?: number;
  /** As in `consoleExpress`. Default: `['read']`. */
  readonly access?: readonly MountedAccess[];
  /** The command that prints the address. A page for people without the token names it. */
  readonly command: string;
}

/** A console that is served alone. */
export interface ServedConsole {
  /** The address with the token of this run. Whoever has it may use the console. */
  readonly url: string;
  close(): Promise<void>;
}

const { filledText, port, required } = optionRules;

const serveConsoleOptions = {
  port: { ...port, default: 0 },
  access: accessRule,
  command: required(filledText),
} satisfies OptionSchema<ServeConsoleOptions>;

/**
 * Serves the console of servers that run in this process, on a port of its own that only this machine can reach. The
 * token in its address lets in whoever started the process. It is for programs without an application around them;
 * `consoleExpress` mounts the console in an application.
 *
 * @throws {ConfigurationError} for options that are wrong
 */
export async function serveConsole(
  servers: McpServer | readonly McpServer[],
  given: ServeConsoleOptions,
): Promise<ServedConsole> {
  const { port, access, command } = parseOptions('serveConsole', serveConsoleOptions, given);
  const handler = new ConsoleHandler({ hub: hubOfServers(servers, access) });
  const server: LoopbackServer = new LoopbackServer((req, res) => {
    const passed = door.pass(req, res);
    if (passed)
      handler.handle({ ...passed, req, res }).catch(() => refuse(res, 500, 'The console has failed.'));
  });
  const advice = [
    `Look at the output of "${command}". Open the address behind "console:".`,
    'Each start has an address of its own.',
  ];
  const door = new TokenDoor(server, { command, advice });
  await server.listen(port);
  return { url: door.address, close: () => server.close() };
}
