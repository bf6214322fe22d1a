import { type Command, Option } from 'commander';
import type { Piece } from 'create-toolwright';
import { dirname, resolve } from 'node:path';
import type { AddCommand, CommandContext } from '@toolwright/operate';
import { CommandError, type Terminal, exitCodes, usageError } from '@toolwright/operate/terminal';
import { addNewView } from './new-view.js';

interface NewAppOptions {
  name?: string;
  filesOnly?: true;
  yes?: true;
  transport?: string;
  signIn?: string;
  db?: string;
  test?: string;
  module?: string;
  tools?: string;
  withView?: string;
}

export const addNew: AddCommand = (program, context) => {
  const group = program
    .command('new')
    .description('make an app, or add a tool, resource, prompt, view, skill or mount to one');
  addNewApp(group, context);
  addNewPieces(group, context);
  addNewView(group, context);
  addNewSkill(group, context);
  addNewMount(group, context);
};

function addNewApp(group: Command, { terminal, exit }: CommandContext): void {
  group
    .command('app')
    .description('write a small, finished app, install it, build it and run its test')
    .argument('<folder>', 'where to write it; the last part of the path is its name')
    .option('--transport <how>', 'http, stdio or both (http)')
    .option(
      '--sign-in <how>',
      'none, jwt: callers need an access token, keys: an API key, or grants: jwt, and a tool calls an API for its user (none)',
    )
    .option('--db <which>', 'none: in memory, or pglite: embedded Postgres (none)')
    .option('--test <runner>', 'node, vitest or jest: what runs its tests (node)')
    .option('--module <kind>', 'esm or cjs: ES modules or CommonJS (esm)')
    .option(
      '--tools <how>',
      'list: all tools in one list; search: once the list is long; code: programs that call them (list)',
    )
    .option('--with-view <library>', 'none, preact or react: a component that shows a result in chats (none)')
    .option('--name <package>', "its name on npm, such as @acme/orders (the folder's)")
    .option('--files-only', 'write the files, and install nothing')
    .option('-y, --yes', 'ask nothing, and use the values in brackets')
    .addHelpText(
      'after',
      '\nThe folder must be empty, or must not exist.\n\nExample:\n  $ toolwright new app apps/orders --db pglite',
    )
    .action(async (folder: string, options: NewAppOptions) => {
      const { AppOptionsError } = await import('create-toolwright');
      exit(
        await makeApp(folder, options, terminal).catch((error: unknown) => {
          throw error instanceof AppOptionsError ? usageError(error.message) : error;
        }),
      );
    });
}

async function makeApp(
  folder: string,
  { name, filesOnly, yes, withView, ...choices }: NewAppOptions,
  terminal: Terminal,
): Promise<number> {
  const { accessOf, askForApp, canAsk, createApp, setUpApp, writeManagerSettings } =
    await import('create-toolwright');
  const words = { ...choices, view: withView };
  const isAsked = !yes && terminal.ask && canAsk(process);
  const made = await (isAsked ? askForApp({ folder, name, words }, terminal.cwd) : { words });
  if (!made) throw new CommandError('Nothing was written.');
  const directory = resolve(terminal.cwd, folder);
  const { files, options } = createApp({ directory, words: made.words, ...(name !== undefined && { name }) });
  writeManagerSettings(directory, terminal.env, options);
  terminal.out(`${folder}: ${files.length} files. Access: ${accessOf(options)}`);
  return filesOnly || setUpApp(directory, terminal.env, terminal.cwd) ? exitCodes.ok : exitCodes.failed;
}

interface NewPieceOptions {
  project: string;
  dir?: string;
  yes?: boolean;
}

const pieces: Record<Piece['kind'], { what: string; example: string }> = {
  tool: { what: 'a tool: something a model can do', example: 'send_mail' },
  resource: { what: 'a resource: something to read', example: 'opening_hours' },
  prompt: { what: 'a prompt: a text to start from', example: 'plan_trip' },
};

/** Adds `new tool`, `new resource` and `new prompt`. */
function addNewPieces(group: Command, context: CommandContext): void {
  for (const kind of Object.keys(pieces) as Piece['kind'][]) addNewPiece(group, kind, context);
}

function addNewPiece(group: Command, kind: Piece['kind'], { terminal, exit }: CommandContext): void {
  const { what, example } = pieces[kind];
  group
    .command(kind)
    .description(`add ${what}, with its test`)
    .argument('<name>', `its name: words joined by _, such as ${example}`)
    .addOption(new Option('-p, --project <tsconfig>', 'the project to add it to').default('tsconfig.json'))
    .option('--dir <folder>', 'where to write it; default: beside the file that makes the server')
    .option('-y, --yes', 'write without asking')
    .addHelpText(
      'after',
      `\nShows what it would write and asks. Nothing is overwritten.\n\nExample:\n  $ toolwright new ${kind} ${example}`,
    )
    .action(async (name: string, { project, dir, yes = false }: NewPieceOptions) => {
      const { offerChanges } = await import('../changes/file-change.js');
      const { planPiece } = await import('../scaffold/plan-piece.js');
      const path = resolve(terminal.cwd, project);
      const folder = dir === undefined ? undefined : resolve(dirname(path), dir);
      const plan = await planPiece({ kind, name, project: path, folder }).catch(asUsage);
      exit(await offerChanges({ ...plan, project: dirname(path), yes }, terminal));
    });
}

function addNewSkill(group: Command, { terminal, exit }: CommandContext): void {
  group
    .command('skill')
    .description('add a skill: instructions that tell a model how to use the tools')
    .argument('<name>', 'its name: words joined by -, such as refund-order')
    .addOption(new Option('-p, --project <tsconfig>', 'the project to add it to').default('tsconfig.json'))
    .option('--dir <folder>', 'the folder of skills; default: skills, beside the tsconfig')
    .option('-y, --yes', 'write without asking')
    .addHelpText(
      'after',
      '\nShows what it would write and asks. Nothing is overwritten.\n\nExample:\n  $ toolwright new skill refund-order',
    )
    .action(async (name: string, { project, dir, yes = false }: NewPieceOptions) => {
      const { offerChanges } = await import('../changes/file-change.js');
      const { planSkill } = await import('../scaffold/plan-skill.js');
      const path = resolve(terminal.cwd, project);
      const folder = dir === undefined ? undefined : resolve(dirname(path), dir);
      const plan = await planSkill({ name, project: path, folder });
      exit(await offerChanges({ ...plan, project: dirname(path), yes }, terminal));
    });
}

function addNewMount(group: Command, { terminal, exit }: CommandContext): void {
  group
    .command('mount')
    .description('add an MCP server of somebody else, to be mounted in the server of the app')
    .argument('<name>', 'its name: words joined by -, such as github')
    .argument('<server...>', 'its URL, or the command that starts it')
    .addOption(new Option('-p, --project <tsconfig>', 'the project to add it to').default('tsconfig.json'))
    .option('--dir <folder>', 'where to write it; default: beside the file that makes the server')
    .option('-y, --yes', 'write without asking')
    .passThroughOptions()
    .addHelpText(
      'after',
      '\nShows what it would write and asks. Nothing is overwritten. Options stand before the name.' +
        '\n\nExamples:\n  $ toolwright new mount github https://api.githubcopilot.com/mcp/' +
        '\n  $ toolwright new mount files npx -y @modelcontextprotocol/server-filesystem /srv/documents',
    )
    .action(async (name: string, server: string[], { project, dir, yes = false }: NewPieceOptions) => {
      const { offerChanges } = await import('../changes/file-change.js');
      const { planMount } = await import('../scaffold/plan-mount.js');
      const path = resolve(terminal.cwd, project);
      const folder = dir === undefined ? undefined : resolve(dirname(path), dir);
      const plan = await planMount({ name, server, project: path, folder });
      exit(await offerChanges({ ...plan, project: dirname(path), yes }, terminal));
    });
}

/** An invalid name is a mistake of the caller, so it gets the exit code for wrong usage. */
function asUsage(error: unknown): never {
  const isUsage = error instanceof Error && error.name === 'AppOptionsError';
  throw isUsage ? usageError(error.message) : error;
}
