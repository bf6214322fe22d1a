import { dirname, resolve } from 'node:path';
import type { AddCommand } from '@toolwright/operate';
import { count, exitCodes } from '@toolwright/operate/terminal';

interface UpgradeOptions {
  project: string;
  write?: boolean;
}

export const addUpgrade: AddCommand = (program, { terminal, exit }) => {
  program
    .command('upgrade')
    .description('change names of earlier releases to those of today')
    .option('-p, --project <tsconfig>', 'the tsconfig of the sources', 'tsconfig.json')
    .option('--write', 'write the files; without it, only the changes are shown')
    .addHelpText(
      'after',
      '\nRenames what sources import from @toolwright/*, and the options of createMcpServer.' +
        '\nIt names what it cannot rename, with file and line.' +
        '\n\nExample:\n  $ toolwright upgrade --write',
    )
    .action(async ({ project, write = false }: UpgradeOptions) => {
      const { upgradeProject } = await import('@toolwright/codemod');
      const { printChanges, writeChanges } = await import('../changes/file-change.js');
      const path = resolve(terminal.cwd, project);
      const { files, notes } = upgradeProject(path);
      printChanges({ changes: files, notes }, terminal);
      if (write) writeChanges(files, dirname(path));
      terminal.err(summaryOf(files.length, notes.length, write));
      exit(notes.length > 0 ? exitCodes.failed : exitCodes.ok);
    });
};

function summaryOf(files: number, notes: number, write: boolean): string {
  if (files + notes === 0) return 'Every name is one of today.';
  const left = notes > 0 ? `, ${count(notes, 'place')} left to you` : '';
  const written = write || files === 0 ? '' : ' Nothing was written. Pass --write to write this.';
  return `${count(files, 'file')} ${write ? 'changed' : 'to change'}${left}.${written}`;
}
