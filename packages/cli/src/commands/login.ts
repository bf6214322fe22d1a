import { isSecureUrl } from '@toolwright/json';
import type { AddCommand } from '@toolwright/operate';
import { CommandError, styleFor } from '@toolwright/operate/terminal';
import type { NewSignIn } from '../remote/kept-tokens.js';
import { identityCommands, withSignIn } from './identity-commands.js';
import { configOption } from '../remote/remote-options.js';

/** The part of `@toolwright/identity/commands` that is used here. */
interface IdentityCommands {
  runSignIn(
    url: string,
    values: Readonly<Record<string, unknown>>,
    console: { err(text: string): void; show(page: string): void },
  ): Promise<NewSignIn | undefined>;
}

export const addLogin: AddCommand = (program, { terminal, exit }) => {
  const command = program
    .command('login')
    .description('sign in at a server, and keep the token for list, call, read and prompt');
  withSignIn(command)
    .option('--no-browser', 'print the page of the issuer, and open no browser')
    .addHelpText(
      'after',
      '\nThe token is in a file that only you can read. It is sent to the origin of the server alone, and renewed when it ends.' +
        '\n\nExample:\n  $ toolwright login https://mcp.example.com/mcp',
    )
    .action(async (server: string, { config, browser, ...values }: Record<string, unknown>) => {
      const { endpointOf } = await import('../remote/named-server.js');
      const { keepToken, tokenFile } = await import('../remote/kept-tokens.js');
      const identity = identityCommands<IdentityCommands>(terminal.cwd);
      const url = await endpointOf(server, config as string | undefined, terminal);
      const insecure = (address: string | URL) =>
        new CommandError(
          `${String(address)} is neither https nor on this machine, so others could read the token.`,
        );
      if (!isSecureUrl(url)) throw insecure(url);
      const { openBrowser } = await import('../dev/console/open-browser.js');
      const show = (page: string) => {
        terminal.err(`Sign in on this page:\n\n  ${page}\n`);
        if (browser !== false) openBrowser(page, terminal.env).catch(() => undefined);
      };
      const signedIn = await identity.runSignIn(url.href, values, {
        err: (text) => terminal.writeErr(text),
        show,
      });
      if (!signedIn) return exit(1);
      if (!isSecureUrl(signedIn.tokenEndpoint)) throw insecure(signedIn.tokenEndpoint);
      await keepToken(signedIn, terminal.env);
      terminal.out(`Signed in for ${signedIn.resource} at ${signedIn.issuer}.`);
      terminal.err(
        styleFor(terminal).dim(
          `The token is in ${tokenFile(terminal.env)}. To end it: toolwright logout ${server}`,
        ),
      );
    });
};

export const addLogout: AddCommand = (program, { terminal }) => {
  program
    .command('logout')
    .description('forget the token of a server, and end it at the issuer')
    .argument('<server>', 'the endpoint of the server, or its name in a file of settings')
    .addOption(configOption())
    .addHelpText('after', '\nExample:\n  $ toolwright logout https://mcp.example.com/mcp')
    .action(async (server: string, { config }: { config?: string }) => {
      const { endpointOf } = await import('../remote/named-server.js');
      const { forgetToken, signedInFor } = await import('../remote/kept-tokens.js');
      const url = await endpointOf(server, config, terminal);
      const kept = signedInFor(terminal.env).join(', ') || 'none';
      const forgotten = await forgetToken(url, terminal.env);
      if (!forgotten) throw new CommandError(`There is no token for ${url.href}. There are: ${kept}.`);
      const { issuer, isRevoked } = forgotten;
      terminal.out(
        isRevoked
          ? `Signed out at ${issuer}.`
          : `The token is forgotten here. ${issuer} has not taken it back.`,
      );
    });
};
