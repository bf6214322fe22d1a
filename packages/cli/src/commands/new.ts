import { resolve } from 'node:path';
import { Option } from 'commander';
import { CommandError, exitCodes } from '../command-error.js';
import type { AddCommand } from './command-context.js';

interface NewAppOptions {
  install: boolean;
  transport: string;
  auth: string;
  db: string;
}

export const addNew: AddCommand = (program, { terminal, exit }) => {
  program
    .command('new')
    .description('make a new app')
    .command('app')
    .description('write a small, finished app, install it, build it and run its test')
    .argument('<folder>', 'where to write it; the last part of the path is its name')
    .addOption(new Option('--transport <how>', 'http, stdio or both').default('http'))
    .addOption(new Option('--auth <how>', 'none or jwt: callers need an access token').default('none'))
    .addOption(new Option('--db <which>', 'none (in memory) or pglite (embedded Postgres)').default('none'))
    .option('--no-install', 'write the files only')
    .addHelpText(
      'after',
      '\nThe folder must be empty or not there.\n\nExample:\n  $ toolwright new app apps/orders --db pglite',
    )
    .action(async (folder: string, { install, ...words }: NewAppOptions) => {
      const { AppOptionsError, createApp, setUpApp } = await import('create-toolwright');
      const directory = resolve(terminal.cwd, folder);
      try {
        const files = createApp({ directory, words: { ...words } });
        terminal.out(`${folder}: ${files.length} files`);
      } catch (error) {
        if (error instanceof AppOptionsError) throw new CommandError(error.message, exitCodes.usage);
        throw error;
      }
      if (install && !setUpApp(directory, terminal.env)) exit(exitCodes.failed);
    });
};
