import { join } from 'node:path';
import { type FileChange, formatChange, offerChanges } from '../changes/file-change.js';
import { CommandError, type Terminal, exitCodes, styleFor } from '@toolwright/operate/terminal';
import { type Json, findUnmet } from '../lint/directories/requirement.js';
import { serverJsonRequirements } from '../lint/directories/server-json-requirements.js';
import { type LintProblem, formatProblems } from '../lint/lint-problem.js';
import { applyRules, readLintConfig } from '../lint/lint-config.js';
import type { PublishedProject } from './project.js';

/** How the files of a publication are written. */
export interface WriteOptions {
  /** Write nothing, and fail if a file is not as it should be. */
  check?: true;
  /** Show the changes, and write nothing. */
  dryRun?: true;
  /** Write without asking. */
  yes?: true;
  /** Also replace files that somebody else may have written. */
  replace?: true;
}

export interface Publication {
  project: string;
  /** Files that are updated: everything else in them stays. */
  updates: FileChange[];
  /** Files that are written as a whole. */
  files: FileChange[];
  /** What the registry would say about the result. */
  problems: LintProblem[];
  notes: string[];
}

/**
 * Shows problems and changes, asks, and writes.
 *
 * @returns the exit code: 1 if there are errors, or something is not written
 * @throws {CommandError} if a file of somebody else would be replaced without a question
 */
export async function offerPublication(
  { project, updates, files, problems, notes }: Publication,
  { check, dryRun, yes, replace }: WriteOptions,
  terminal: Terminal,
): Promise<number> {
  for (const line of formatProblems(problems, { format: 'text', placeOf: (file) => file }))
    terminal.out(line);
  for (const note of notes) terminal.err(`${styleFor(terminal).yellow('note:')} ${note}`);
  const verdict = problems.some(({ severity }) => severity === 'error') ? exitCodes.failed : exitCodes.ok;
  const changes = [...updates, ...files].filter(({ before, after }) => before !== after);
  if (changes.length === 0) {
    terminal.err('All files are as they should be.');
    return verdict;
  }
  if (check || dryRun) {
    for (const change of changes) terminal.out(`${formatChange(change, terminal).join('\n')}\n`);
    return check ? exitCodes.failed : verdict;
  }
  const foreign = files.find(({ before, after }) => before !== undefined && before !== after);
  if (foreign && yes && !replace)
    throw new CommandError(
      `${foreign.path} exists, and has another text. Pass --replace to replace it, or run the command without --yes to see the difference.`,
    );
  const code = await offerChanges({ changes, notes: [], project, yes: yes ?? false }, terminal);
  return code === exitCodes.ok ? verdict : code;
}

/** What `lint --for registry` would say about the files after these changes. */
export function registryProblems(project: PublishedProject, changes: readonly FileChange[]): LintProblem[] {
  const planned = (name: string) => changes.find(({ path }) => path === join(project.directory, name))?.after;
  const serverText = planned('server.json') ?? project.serverJson?.text;
  const listing = {
    package: JSON.parse(planned('package.json') ?? project.package.text) as Json,
    ...(serverText !== undefined && { serverJson: JSON.parse(serverText) as Json }),
  };
  return applyRules(
    findUnmet(serverJsonRequirements, ['registry'], listing),
    readLintConfig(project.directory),
  );
}
