import Module from 'node:module';
import { type AddCommand, checkManifest, findBuild } from '@toolwright/operate';
import { explainMissingEnding } from '../app/missing-ending.js';

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
    .action((entry: string | undefined, args: string[]) => startApp(entry, args, terminal.cwd));
};

/**
 * Runs a built app in this process.
 *
 * @param entry the compiled file; default: what package.json starts
 * @throws {CommandError} if there is no such file, or sources changed after its build
 */
export function startApp(entry: string | undefined, args: readonly string[], cwd: string): void {
  const file = findBuild(entry, cwd);
  checkManifest(file, cwd);
  runApp(file, args);
}

/**
 * Runs a file in this process as if Node.js had been started with it. The app handles signals and exit codes
 * itself, and a container has one process. This works for CommonJS and ES modules.
 */
function runApp(entry: string, args: readonly string[]): void {
  process.env['NODE_ENV'] ??= 'production';
  // Stack traces show the sources if the build has source maps.
  process.setSourceMapsEnabled(true);
  process.argv = [process.argv[0]!, entry, ...args];
  // The command's own handling of a closed output must not affect the app.
  process.stdout.removeAllListeners('error');
  process.once('uncaughtExceptionMonitor', ({ message }) => {
    const told = explainMissingEnding(message, process.cwd());
    if (told !== undefined) process.stderr.write(`${told}\n`);
  });
  (Module as unknown as { runMain(): void }).runMain();
}
