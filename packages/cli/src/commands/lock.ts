import { resolve } from 'node:path';
import { LOCK_FILE } from '../contract/lock-file.js';
import { count } from '../output/count.js';
import type { AddCommand } from './command-context.js';
import { addSourceOptions, type SourceOptions } from './source-options.js';

export const addLock: AddCommand = (program, { terminal }) => {
  addSourceOptions(program.command('lock'))
    .description('write down what callers of the tools depend on: schemas, annotations, descriptions')
    .option('-o, --out <file>', 'where to write it', LOCK_FILE)
    .addHelpText(
      'after',
      '\nCommit the file; toolwright diff compares with it.\n\nExample:\n  $ tsc && toolwright lock',
    )
    .action(async ({ project, out, ...source }: SourceOptions & { out: string }) => {
      const { publishedTools } = await import('../contract/published-tools.js');
      const { writeLock } = await import('../contract/lock-file.js');
      const tools = await publishedTools({ ...source, project: resolve(terminal.cwd, project) });
      writeLock(resolve(terminal.cwd, out), tools, terminal.cwd);
      terminal.out(`${out}: ${count(tools.length, 'tool')}`);
    });
};
