import type { ImportFolder } from './import-folder.js';
import { hasMarks, mergeText } from './merge-text.js';

/** What an import would do to the files of its folder. */
export interface MergedImport {
  /** The new text of each file; undefined for one that goes. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** Files in which a person must decide. */
  readonly conflicts: readonly string[];
  /** Files that this import would overwrite, although it did not write them. */
  readonly foreign: readonly string[];
  /** What a person should know, a line each. */
  readonly notes: readonly string[];
}

/** Joins new texts with what people made of the last ones. Nothing is written. */
export function mergeImport(folder: ImportFolder, generated: ReadonlyMap<string, string>): MergedImport {
  const base = folder.base();
  const files = new Map<string, string | undefined>();
  const result = { conflicts: [] as string[], foreign: [] as string[], notes: [] as string[] };
  for (const [name, next] of generated) {
    const [before, current] = [base.get(name), folder.current(name)];
    if (current === undefined) {
      if (before === undefined) files.set(name, next);
      else result.notes.push(`${name} was deleted, and stays so.`);
    } else if (before === undefined) {
      if (current !== next) result.foreign.push(name);
      else files.set(name, next);
    } else {
      const merged =
        current === before ? { text: next, hasConflicts: false } : mergeText(before, current, next);
      files.set(name, merged.text);
      if (merged.hasConflicts || hasMarks(merged.text)) result.conflicts.push(name);
    }
  }
  for (const [name, before] of base) {
    if (generated.has(name)) continue;
    const current = folder.current(name);
    if (current === before) files.set(name, undefined);
    else if (current !== undefined)
      result.notes.push(`${name} has no tool any more. It was edited, so it stays.`);
  }
  return { files, ...result };
}
