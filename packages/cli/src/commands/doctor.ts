import type { AddCommand } from '@toolwright/operate';
import { notInstalled } from '@toolwright/operate/terminal';
import { loadCommands } from '../app/load-commands.js';
import { configOption } from '../remote/remote-options.js';

const PACKAGE = '@toolwright/identity';

/** The part of `@toolwright/identity/commands` that is used here. */
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
    .argument('<server>', 'the endpoint of the server, or its name in a file of settings')
    .addOption(configOption())
    .option('--client-id <id>', 'a client that was registered at the issuer beforehand')
    .option('--client-secret <secret>', 'its secret, if it has one')
    .option('--client-document <url>', 'the URL of a client metadata document')
    .option('--scope <scopes>', 'the scopes to ask for; default: the scopes that the server names')
    .option('--tool <name>', 'a tool to call without arguments at the end; default: the tools are listed')
    .option('--no-sign-in', 'end before a person has to sign in')
    .option('--json', 'print the diagnosis as JSON')
    .addHelpText('after', '\nExample:\n  $ toolwright doctor https://mcp.example.com/mcp')
    .action(async (server: string, { config, ...values }: Record<string, unknown>) => {
      const commands = loadCommands(PACKAGE, terminal.cwd) as IdentityCommands | undefined;
      if (!commands) throw notInstalled(PACKAGE, true);
      const { endpointOf } = await import('../remote/named-server.js');
      const { href: url } = await endpointOf(server, config as string | undefined, terminal);
      const console = {
        out: (text: string) => terminal.write(text),
        err: (text: string) => terminal.writeErr(text),
      };
      exit(await commands.runDoctor(url, values, console));
    });
};
