import type { ImportFolder, ImportRecord } from './import-folder.js';
import { mergeImport } from './merge-import.js';

/** Where a command that writes services writes to, and what it can use. */
export interface LandingConsole {
  out(text: string): void;
  err(text: string): void;
  /** Says in the words of `toolwright diff` what changed between two contracts, a line each. */
  changes?(before: readonly object[], after: readonly object[]): string[];
}

/** What an import made, and where it belongs. */
export interface Landing {
  /** The folder as the person named it. */
  readonly out: string;
  readonly folder: ImportFolder;
  /** What the last import kept. */
  readonly before: ImportRecord | undefined;
  /** The texts by path. */
  readonly generated: ReadonlyMap<string, string>;
  readonly record: ImportRecord;
}

/** The exit codes of a command that writes services. */
export const importCodes = { done: 0, unusable: 1, foreign: 2, conflicts: 3 } as const;

/** The same with `--check`. */
export const importCheckCodes = { same: 0, differs: 1, unreadable: 2 } as const;

/**
 * Whether a folder has files that no import wrote. They are kept, so a person has to say that the services go beside them.
 */
export function refusesForeign(
  { out, folder, before }: Pick<Landing, 'out' | 'folder' | 'before'>,
  isAllowed: boolean,
  console: LandingConsole,
): boolean {
  if (before || isAllowed || folder.files().length === 0) return false;
  console.err(
    `${out} has files that no import wrote, or lacks ${folder.kept}. Pass --yes to write beside them.`,
  );
  return true;
}

/** Merges an import into its folder, and says what changed. It returns the exit code. */
export function landImport(
  { out, folder, before, generated, record }: Landing,
  console: LandingConsole,
): number {
  const merged = mergeImport(folder, generated);
  if (merged.foreign.length > 0) {
    console.err(
      `${out} has ${merged.foreign.join(', ')}, which this import did not write, or cannot compare without ${folder.kept}. ` +
        'Nothing was written: move these files away.',
    );
    return importCodes.foreign;
  }
  if (before) for (const line of console.changes?.(before.contract, record.contract) ?? []) console.out(line);
  folder.write(merged.files, generated, record);
  for (const note of merged.notes) console.err(note);
  if (merged.conflicts.length > 0) {
    console.err(`Conflicts are marked in ${merged.conflicts.join(', ')}.`);
    return importCodes.conflicts;
  }
  console.out(
    `${out}: ${generated.size} files. Add \`services\` and \`providers\` of its index.ts to createMcpServer.`,
  );
  return importCodes.done;
}

/** Whether an import would change something. A person's edits do not count. It returns the exit code of `--check`. */
export function compareImport(
  { out, folder, before, generated, record }: Landing,
  console: LandingConsole,
): number {
  const base = folder.base();
  const changed = [
    ...[...generated].filter(([name, text]) => base.get(name) !== text).map(([name]) => name),
    ...[...base.keys()].filter((name) => !generated.has(name)),
  ];
  const { conflicts } = mergeImport(folder, generated);
  if (changed.length === 0 && before && conflicts.length === 0) return importCheckCodes.same;
  for (const line of console.changes?.(before?.contract ?? [], record.contract) ?? []) console.out(line);
  if (!before) console.err(`${out} has no import yet.`);
  else if (changed.length > 0) console.err(`An import would change ${changed.join(', ')}.`);
  else console.err(`Conflicts are marked in ${conflicts.join(', ')}.`);
  return importCheckCodes.differs;
}
