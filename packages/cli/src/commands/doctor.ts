import type { AddCommand } from '@toolwright/operate';
import { identityCommands, withSignIn } from './identity-commands.js';

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
  const command = program
    .command('doctor')
    .description('sign in at a server step by step, and say which step fails and what to do');
  withSignIn(command)
    .option('--tool <name>', 'a tool to call without arguments at the end; default: the tools are listed')
    .option('--no-sign-in', 'end before a person has to sign in')
    .option('--json', 'print the diagnosis as JSON')
    .addHelpText('after', '\nExample:\n  $ toolwright doctor https://mcp.example.com/mcp')
    .action(async (server: string, { config, ...values }: Record<string, unknown>) => {
      const commands = identityCommands<IdentityCommands>(terminal.cwd);
      const { endpointOf } = await import('../remote/named-server.js');
      const { href: url } = await endpointOf(server, config as string | undefined, terminal);
      const console = {
        out: (text: string) => terminal.write(text),
        err: (text: string) => terminal.writeErr(text),
      };
      exit(await commands.runDoctor(url, values, console));
    });
};
