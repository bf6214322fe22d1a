import { dirname, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { exitCodes } from '../command-error.js';
import type { AddCommand } from './command-context.js';

interface InitOptions {
  project: string;
  app?: string;
  path: string;
  yes?: boolean;
}

export const addInit: AddCommand = (program, { terminal, exit }) => {
  program
    .command('init')
    .description('let an Express app that is there serve MCP, with a first tool')
    .option('-p, --project <tsconfig>', 'the tsconfig of the app', 'tsconfig.json')
    .option('--app <file>', 'the file that makes the app; searched for unless said')
    .option('--path <path>', 'where the app will answer', parsePath, '/mcp')
    .option('-y, --yes', 'write without asking')
    .addHelpText(
      'after',
      '\nShows what it would write and asks. What it does not understand it leaves alone, and says what to add.' +
        '\n\nExample:\n  $ npx --package @toolwright/cli toolwright init',
    )
    .action(async ({ project, app, path, yes = false }: InitOptions) => {
      const { offerChanges } = await import('../changes/offer-changes.js');
      const { planInit } = await import('../scaffold/plan-init.js');
      const { packageManagerOf } = await import('create-toolwright');
      const config = resolve(terminal.cwd, project);
      const file = app === undefined ? undefined : resolve(terminal.cwd, app);
      const code = await offerChanges(
        { ...(await planInit({ project: config, app: file, path })), yes },
        terminal,
      );
      if (code === exitCodes.ok) {
        const manager = packageManagerOf(dirname(config), terminal.env);
        terminal.err(
          `Next: ${manager} install, then build and start the app as before; it answers at ${path}.`,
        );
      }
      exit(code);
    });
};

function parsePath(text: string): string {
  if (/^(\/[\w.~-]+)+$/.test(text)) return text;
  throw new InvalidArgumentError('Write it like /mcp.');
}
