import { dirname, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { Piece } from 'create-toolwright';
import { CommandError, exitCodes } from '../command-error.js';
import type { CommandContext } from './command-context.js';

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
export function addNewPieces(group: Command, context: CommandContext): void {
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
      const { offerChanges } = await import('../changes/offer-changes.js');
      const { planPiece } = await import('../scaffold/plan-piece.js');
      const path = resolve(terminal.cwd, project);
      const folder = dir === undefined ? undefined : resolve(dirname(path), dir);
      const plan = await planPiece({ kind, name, project: path, folder }).catch(asUsage);
      exit(await offerChanges({ ...plan, project: dirname(path), yes }, terminal));
    });
}

/** An invalid name is a mistake of the caller, so it gets the exit code for wrong usage. */
function asUsage(error: unknown): never {
  const isUsage = error instanceof Error && error.name === 'AppOptionsError';
  throw isUsage ? new CommandError(error.message, exitCodes.usage) : error;
}
