import { dirname, resolve } from 'node:path';
import type { AddCommand } from './command-context.js';

interface DevCommandOptions {
  project: string;
}

export const addDev: AddCommand = (program, { terminal, exit }) => {
  program
    .command('dev')
    .description('compile and run an app, and apply your edits while it runs')
    .argument('[entry]', 'the file that starts it; default: what "start" in package.json runs')
    .argument('[args...]', 'arguments for the app, after --')
    .option('-p, --project <tsconfig>', 'the tsconfig that the app is compiled with', 'tsconfig.json')
    .addHelpText(
      'after',
      '\nAn edited service is replaced in the running app. Other edits restart the app, and requests wait for it.' +
        '\nIf there is an error, the last good version continues.' +
        '\n\nExamples:\n  $ toolwright dev\n  $ toolwright dev src/main.ts -- --stdio',
    )
    .action(async (entry: string | undefined, args: string[], { project: named }: DevCommandOptions) => {
      const { findEntry } = await import('../dev/find-entry.js');
      const { DevSession } = await import('../dev/dev-session.js');
      const project = resolve(terminal.cwd, named);
      const session = new DevSession(
        { project, entry: findEntry(entry, dirname(project), terminal.cwd), args },
        terminal,
      );
      exit(await session.run(signalled()));
    });
};

function signalled(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop());
  });
}
