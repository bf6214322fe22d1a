import type { AddCommand } from './command-context.js';

export const addStart: AddCommand = (program, { terminal }) => {
  program
    .command('start')
    .description('run a built app in production')
    .argument(
      '[entry]',
      'the compiled file that starts it; default: what package.json starts, or dist/main.js',
    )
    .argument('[args...]', 'arguments for the app, after --')
    .addHelpText(
      'after',
      '\nRefuses to run if sources changed after the manifest was built. NODE_ENV is production unless you set it.' +
        '\n\nExample:\n  $ toolwright start dist/main.js -- --verbose',
    )
    .action(async (entry: string | undefined, args: string[]) => {
      const { checkManifest } = await import('../start/check-manifest.js');
      const { findBuild } = await import('../start/find-build.js');
      const { runApp } = await import('../start/run-app.js');
      const file = findBuild(entry, terminal.cwd);
      checkManifest(file, terminal.cwd);
      runApp(file, args);
    });
};
