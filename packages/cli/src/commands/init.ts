import { dirname, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { AddCommand } from '@toolwright/operate';
import { exitCodes } from '@toolwright/operate/terminal';

interface InitOptions {
  project: string;
  app?: string;
  path: string;
  yes?: boolean;
}

export const addInit: AddCommand = (program, { terminal, exit }) => {
  program
    .command('init')
    .description('add MCP and a first tool to an existing Express app')
    .option('-p, --project <tsconfig>', 'the tsconfig of the app', 'tsconfig.json')
    .option('--app <file>', 'the file that makes the app; default: the command searches for it')
    .option('--path <path>', 'the path that the endpoint serves', parsePath, '/mcp')
    .option('-y, --yes', 'write without asking')
    .addHelpText(
      'after',
      '\nShows what it would write and asks. It does not change what it does not understand, and says what to add by hand.' +
        '\n\nExample:\n  $ npm install --save-dev @toolwright/cli && npx --no toolwright init',
    )
    .action(async ({ project, app, path, yes = false }: InitOptions) => {
      const { offerChanges } = await import('../changes/file-change.js');
      const { planInit } = await import('../scaffold/plan-init.js');
      const { packageManagerOf } = await import('create-toolwright');
      const config = resolve(terminal.cwd, project);
      const file = app === undefined ? undefined : resolve(terminal.cwd, app);
      const code = await offerChanges(
        { ...(await planInit({ project: config, app: file, path })), project: dirname(config), yes },
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
