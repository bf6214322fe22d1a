import { resolve } from 'node:path';
import type { AddCommand } from '@toolwright/operate';
import { exitCodes } from '@toolwright/operate/terminal';

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
    .action(async ({ project, write = false }: { project: string; write?: boolean }) => {
      const { migrateSources } = await import('../migrate/migrate-sources.js');
      const { printChanges } = await import('../changes/file-change.js');
      const { changes, notes, summary } = await migrateSources(resolve(terminal.cwd, project), write);
      printChanges({ changes, notes }, terminal);
      for (const line of summary) terminal.err(line);
      exit(changes.length > 0 ? exitCodes.ok : exitCodes.failed);
    });
};
