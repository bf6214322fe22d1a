import { CommandError, exitCodes } from '../command-error.js';
import { styleFor } from '../terminal/style.js';
import type { Terminal } from '../terminal/terminal.js';
import { currentText } from './current-text.js';
import type { FileChange } from './file-change.js';
import { formatChange } from './format-change.js';
import { placeInProject } from './place-in-project.js';
import { writeAtomically } from './write-atomically.js';

/** Changes to propose, and what is left for the person to do. */
export interface Offer {
  changes: FileChange[];
  /** The folder of the project, which no link may leave. */
  project: string;
  /** What could not be changed, and how to do it by hand. */
  notes: string[];
  /** Write without asking. */
  yes: boolean;
}

/**
 * Shows changes, asks, and writes them.
 *
 * @returns the exit code; a refusal is a failure, because nothing was done
 * @throws {CommandError} if nobody can be asked, a file has changed since it was shown, or a link leads out of
 *   the project
 */
export async function offerChanges(
  { changes, notes, project, yes }: Offer,
  terminal: Terminal,
): Promise<number> {
  for (const change of changes) terminal.out(`${formatChange(change, terminal).join('\n')}\n`);
  const { yellow } = styleFor(terminal);
  for (const note of notes) terminal.err(`${yellow('by hand:')} ${note}\n`);
  if (!yes && !terminal.ask) {
    throw new CommandError(
      'Nothing was written, because the command cannot ask without a terminal. Pass --yes to write everything.',
    );
  }
  const files = changes.length === 1 ? 'this file' : `these ${changes.length} files`;
  const answer = yes ? 'y' : await terminal.ask!(`Write ${files}? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) {
    terminal.err('Nothing was written.');
    return exitCodes.failed;
  }
  // All files are checked before the first one is written.
  const stale = changes.find((change) => currentText(change.path) !== change.before);
  if (stale) throw new CommandError(`${stale.path} changed in the meantime. Nothing was written.`);
  for (const { path } of changes) placeInProject(path, project);
  for (const { path, after } of changes) writeAtomically(path, after, project);
  return exitCodes.ok;
}
