import type { Command } from 'commander';
import { notInstalled } from '@toolwright/operate/terminal';
import { loadCommands } from '../app/load-commands.js';
import { configOption } from '../remote/remote-options.js';

const PACKAGE = '@toolwright/identity';

/**
 * What `@toolwright/identity` brings for the commands that sign in. It is loaded when somebody uses one.
 *
 * @throws {CommandError} if the project does not have the package
 */
export function identityCommands<Commands>(folder: string): Commands {
  const commands = loadCommands(PACKAGE, folder);
  if (!commands) throw notInstalled(PACKAGE, true);
  return commands as Commands;
}

/** Adds which server a person signs in at, and as which client. */
export function withSignIn(command: Command): Command {
  return command
    .argument('<server>', 'the endpoint of the server, or its name in a file of settings')
    .addOption(configOption())
    .option('--client-id <id>', 'a client that was registered at the issuer beforehand')
    .option('--client-secret <secret>', 'its secret, if it has one')
    .option('--client-document <url>', 'the URL of a client metadata document')
    .option('--scope <scopes>', 'the scopes to ask for; default: the scopes that the server names');
}
