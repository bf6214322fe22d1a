import Module from 'node:module';

/**
 * Runs a file in this process as if Node.js had been started with it. The app handles signals and exit codes
 * itself, and a container has one process. This works for CommonJS and ES modules.
 */
export function runApp(entry: string, args: readonly string[]): void {
  process.env['NODE_ENV'] ??= 'production';
  // Stack traces show the sources if the build has source maps.
  process.setSourceMapsEnabled(true);
  process.argv = [process.argv[0]!, entry, ...args];
  // The command's own handling of a closed output must not affect the app.
  process.stdout.removeAllListeners('error');
  (Module as unknown as { runMain(): void }).runMain();
}
