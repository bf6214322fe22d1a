import { createTwoFilesPatch } from 'diff';
import { relative, sep } from 'node:path';
import { CommandError, type Terminal, exitCodes, styleFor, currentText } from '@toolwright/operate/terminal';
import { placeInProject, writeAtomically } from './write-atomically.js';

/** A file to write. */
export interface FileChange {
  /** Absolute path. */
  path: string;
  /**
   * The current text. Undefined if the file does not exist; it must then still not exist when it is written.
   */
  before: string | undefined;
  after: string;
}

/** The text of a JSON file with a new value. It keeps the indentation and the line ends of the text before. */
export function jsonText(value: unknown, before = '  "\n'): string {
  const indent = /^([ \t]+)"/m.exec(before)?.[1] ?? '  ';
  const text = JSON.stringify(value, null, indent) + (before.endsWith('\n') ? '\n' : '');
  return before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}

/** A change in the format of `diff -u`, with paths relative to the working directory. */
export function formatChange(
  { path, before, after }: FileChange,
  terminal: Pick<Terminal, 'colours' | 'cwd'>,
): string[] {
  const { bold, cyan, green, red } = styleFor(terminal);
  const name = relative(terminal.cwd, path).split(sep).join('/');
  const patch = createTwoFilesPatch(before === undefined ? '/dev/null' : name, name, before ?? '', after);
  const [, ...lines] = patch.trimEnd().split('\n');
  return lines.map((line) => {
    if (line.startsWith('---') || line.startsWith('+++')) return bold(line.trimEnd());
    if (line.startsWith('@@')) return cyan(line);
    return line.startsWith('+') ? green(line) : line.startsWith('-') ? red(line) : line;
  });
}

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
  writeChanges(changes, project);
  return exitCodes.ok;
}

/**
 * Writes changes, all or none.
 *
 * @param project the folder of the project, which no link may leave
 * @throws {CommandError} if a file has changed since it was read, or a link leads out of the project
 */
export function writeChanges(changes: readonly FileChange[], project: string): void {
  // All files are checked before the first one is written.
  const stale = changes.find(({ path, before }) => currentText(path) !== before);
  if (stale) throw new CommandError(`${stale.path} changed in the meantime. Nothing was written.`);
  for (const { path } of changes) placeInProject(path, project);
  for (const { path, after } of changes) writeAtomically(path, after, project);
}

/** What a command says about a place in a file that it leaves to a person. */
export interface SourceNote {
  /** Absolute path. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly subject: string;
  readonly reason: string;
  readonly advice: string;
}

/** Prints changes as differences, and notes as `file:line:column: subject: …`. */
export function printChanges(
  { changes, notes }: { changes: readonly FileChange[]; notes: readonly SourceNote[] },
  terminal: Terminal,
): void {
  const { yellow } = styleFor(terminal);
  for (const change of changes) terminal.out(`${formatChange(change, terminal).join('\n')}\n`);
  for (const { file, line, column, subject, reason, advice } of notes) {
    const place = relative(terminal.cwd, file).split(sep).join('/');
    terminal.err(`${place}:${line}:${column}: ${yellow(subject)}: ${reason} ${advice}`);
  }
}
