import { resolve } from 'node:path';
import type { AddCommand } from './command-context.js';

interface InspectOptions {
  project: string;
  json?: true;
}

export const addInspect: AddCommand = (program, { terminal }) => {
  program
    .command('inspect')
    .description('show what the compiler makes of every decorated method, errors included')
    .option('-p, --project <tsconfig>', 'the tsconfig whose classes are compiled', 'tsconfig.json')
    .option('--json', 'print everything as JSON: schemas, revivals, diagnostics')
    .addHelpText(
      'after',
      '\nExamples:\n  $ toolwright inspect\n  $ toolwright inspect --json | jq ".[].name"',
    )
    .action(async ({ project, json }: InspectOptions) => {
      const { inspectProject } = await import('@toolwright/schema-compiler');
      const entries = await inspectProject({ project: resolve(terminal.cwd, project) });
      if (json) return terminal.out(JSON.stringify(entries, null, 2));
      const { formatEntries } = await import('../output/format-entries.js');
      for (const line of formatEntries(entries, terminal)) terminal.out(line);
    });
};
