import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AddCommand } from '@toolwright/operate';
import { CommandError } from '@toolwright/operate/terminal';
import { parseUrl } from '../remote/remote-options.js';

const PACKAGE = '@toolwright/identity';

/** The part of `@toolwright/identity/commands` that is used here. It is the copy of the folder. */
interface IdentityCommands {
  runDoctor(
    url: string,
    values: Readonly<Record<string, unknown>>,
    console: { out(text: string): void; err(text: string): void },
  ): Promise<number>;
}

/** `@toolwright/identity` brings what the command does. It is loaded when somebody uses it. */
export const addDoctor: AddCommand = (program, { terminal, exit }) => {
  program
    .command('doctor')
    .description('sign in at a server step by step, and say which step fails and what to do')
    .argument('<url>', 'the endpoint of the server', parseUrl)
    .option('--client-id <id>', 'a client that was registered at the issuer beforehand')
    .option('--client-secret <secret>', 'its secret, if it has one')
    .option('--client-document <url>', 'the URL of a client metadata document')
    .option('--scope <scopes>', 'the scopes to ask for; default: the scopes that the server names')
    .option('--tool <name>', 'a tool to call without arguments at the end; default: the tools are listed')
    .option('--no-sign-in', 'end before a person has to sign in')
    .option('--json', 'print the diagnosis as JSON')
    .addHelpText('after', '\nExample:\n  $ toolwright doctor https://mcp.example.com/mcp')
    .action(async ({ href: url }: URL, values: Record<string, unknown>) => {
      const commands = loadIdentity(terminal.cwd);
      if (!commands)
        throw new CommandError(
          `This folder has no ${PACKAGE}. Run the command in the folder of the app, or install it: npm install --save-dev ${PACKAGE}`,
        );
      const console = {
        out: (text: string) => terminal.write(text),
        err: (text: string) => terminal.writeErr(text),
      };
      exit(await commands.runDoctor(url, values, console));
    });
};

/** @returns `undefined` when it is not installed */
function loadIdentity(directory: string): IdentityCommands | undefined {
  const require = createRequire(join(directory, 'package.json'));
  try {
    return require(`${PACKAGE}/commands`) as IdentityCommands;
  } catch (error) {
    if ((error as { code?: string }).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
