import { usageError } from '../command-error.js';
import type { AddCommand } from './command-context.js';

interface WorkerFlags {
  concurrency: string;
  grace: string;
  healthPort?: string;
  healthHost: string;
}

export const addWorker: AddCommand = (program, { terminal }) => {
  program
    .command('worker')
    .description('work on the durable tasks of a built app')
    .argument(
      '[entry]',
      'a compiled file that exports the server, or createServer()',
      'dist/create-server.js',
    )
    .option('--concurrency <count>', 'how many tasks at a time', '10')
    .option('--grace <ms>', 'how long running tasks get when the process stops', '30000')
    .option('--health-port <port>', 'answer /healthz and /readyz on this port, for probes')
    .option('--health-host <address>', 'where to answer them: 0.0.0.0 for Kubernetes', '127.0.0.1')
    .addHelpText(
      'after',
      '\nThe file must not serve clients when it is loaded. NODE_ENV is production unless you set it.' +
        `\n\nExample:\n  $ ${program.name()} worker dist/create-server.js --concurrency 20`,
    )
    .action(async (entry: string, { concurrency, grace, healthPort, healthHost }: WorkerFlags) => {
      const { checkManifest, findBuild } = await import('../built-app.js');
      const { runWorker } = await import('./run-worker.js');
      const file = findBuild(entry, terminal.cwd);
      checkManifest(file, terminal.cwd);
      const options = {
        concurrency: wholeNumber('--concurrency', concurrency),
        grace: wholeNumber('--grace', grace),
        ...(healthPort && { health: { port: portOf(healthPort), host: healthHost } }),
      };
      await runWorker(file, options);
      terminal.out(`working on tasks, ${options.concurrency} at a time`);
    });
};

function wholeNumber(option: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw usageError(`${option} must be a positive whole number, not ${text}.`);
}

function portOf(text: string): number {
  const port = wholeNumber('--health-port', text);
  if (port <= 65_535) return port;
  throw usageError(`--health-port must be at most 65535, not ${text}.`);
}
