import Module from 'node:module';

/**
 * Runs a file in this process as if Node.js had been started with it: signals and exit codes are the app's own, and a
 * container has one process. Loads CommonJS and ES modules.
 */
export function runApp(entry: string, args: readonly string[]): void {
  process.env['NODE_ENV'] ??= 'production';
  // Errors point at the sources, where the build has left maps of them.
  process.setSourceMapsEnabled(true);
  process.argv = [process.argv[0]!, entry, ...args];
  // What the command does about a reader that has gone is not what the app does.
  process.stdout.removeAllListeners('error');
  (Module as unknown as { runMain(): void }).runMain();
}
