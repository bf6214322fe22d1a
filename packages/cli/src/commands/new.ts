import { resolve } from 'node:path';
import type { Command } from 'commander';
import { CommandError, exitCodes } from '../command-error.js';
import type { Terminal } from '../terminal/terminal.js';
import type { AddCommand, CommandContext } from './command-context.js';
import { addNewPieces } from './new-piece.js';

interface NewAppOptions {
  install: boolean;
  yes?: true;
  transport?: string;
  auth?: string;
  db?: string;
  test?: string;
  module?: string;
}

export const addNew: AddCommand = (program, context) => {
  const group = program.command('new').description('make an app, or add a tool, resource or prompt to one');
  addNewApp(group, context);
  addNewPieces(group, context);
};

function addNewApp(group: Command, { terminal, exit }: CommandContext): void {
  group
    .command('app')
    .description('write a small, finished app, install it, build it and run its test')
    .argument('<folder>', 'where to write it; the last part of the path is its name')
    .option('--transport <how>', 'http, stdio or both (http)')
    .option('--auth <how>', 'none, or jwt: callers need an access token (none)')
    .option('--db <which>', 'none: in memory, or pglite: embedded Postgres (none)')
    .option('--test <runner>', 'node, vitest or jest: what runs its tests (node)')
    .option('--module <kind>', 'esm or cjs: ES modules or CommonJS (esm)')
    .option('--no-install', 'write the files only')
    .option('-y, --yes', 'ask nothing, and use the values in brackets')
    .addHelpText(
      'after',
      '\nThe folder must be empty, or must not exist.\n\nExample:\n  $ toolwright new app apps/orders --db pglite',
    )
    .action(async (folder: string, options: NewAppOptions) => {
      const { AppOptionsError } = await import('create-toolwright');
      exit(
        await makeApp(folder, options, terminal).catch((error: unknown) => {
          throw error instanceof AppOptionsError ? new CommandError(error.message, exitCodes.usage) : error;
        }),
      );
    });
}

async function makeApp(
  folder: string,
  { install, yes, ...words }: NewAppOptions,
  terminal: Terminal,
): Promise<number> {
  const { askForApp, canAsk, createApp, setUpApp } = await import('create-toolwright');
  const isAsked = !yes && terminal.ask && canAsk(process);
  const made = await (isAsked ? askForApp({ folder, words }, terminal.cwd) : { words });
  if (!made) throw new CommandError('Nothing was written.');
  const directory = resolve(terminal.cwd, folder);
  const { files } = createApp({ directory, words: made.words });
  terminal.out(`${folder}: ${files.length} files`);
  return !install || setUpApp(directory, terminal.env) ? exitCodes.ok : exitCodes.failed;
}
