import { relative, resolve, sep } from 'node:path';
import { exitCodes } from '../command-error.js';
import { styleFor } from '../terminal/style.js';
import type { AddCommand } from './command-context.js';

interface MigrateOptions {
  project: string;
  write?: boolean;
}

export const addMigrate: AddCommand = (program, { terminal, exit }) => {
  program
    .command('migrate')
    .description('turn what the official SDK registers into decorated methods')
    .option('-p, --project <tsconfig>', 'the tsconfig of the sources', 'tsconfig.json')
    .option('--write', 'write the files; without it, only the changes are shown')
    .addHelpText(
      'after',
      '\nReads registerTool, registerResource, registerPrompt and their older forms, with schemas of zod.' +
        '\nWhat is not understood stays as it is, and the command says why.' +
        '\n\nExample:\n  $ toolwright migrate --project tsconfig.json',
    )
    .action(async ({ project, write = false }: MigrateOptions) => {
      const { migrateSources } = await import('../migrate/migrate-sources.js');
      const { formatChange } = await import('../changes/file-change.js');
      const { changes, notes, summary } = await migrateSources(resolve(terminal.cwd, project), write);
      const { yellow } = styleFor(terminal);
      for (const change of changes) terminal.out(`${formatChange(change, terminal).join('\n')}\n`);
      for (const { file, line, column, subject, reason, advice } of notes) {
        const place = relative(terminal.cwd, file).split(sep).join('/');
        terminal.err(`${place}:${line}:${column}: ${yellow(subject)}: ${reason} ${advice}`);
      }
      for (const line of summary) terminal.err(line);
      exit(changes.length > 0 ? exitCodes.ok : exitCodes.failed);
    });
};
