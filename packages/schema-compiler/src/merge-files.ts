import type { CompiledFile, CompiledProject } from './compiled-project.js';
import { reportDuplicateNames } from './diagnostics/report-duplicate-names.js';
import { reportClashingKeys } from './questions/report-clashing-keys.js';

/** The result of compiling a file, with the absolute path of the file. */
export interface NamedFile extends CompiledFile {
  fileName: string;
}

/** Joins the results of a project's files, in the order of the files. */
export function mergeFiles(root: string, files: readonly NamedFile[]): CompiledProject {
  const compiled: CompiledProject = {
    root,
    operations: reportDuplicateNames(files.flatMap(({ operations }) => operations)),
    classes: {},
    revivals: {},
    questions: reportClashingKeys(files.flatMap(({ questions }) => questions)),
    schedules: files.flatMap(({ schedules }) => schedules),
    files: files.map(({ fileName }) => fileName),
  };
  for (const { classes, revivals } of files) {
    for (const [key, described] of Object.entries(classes)) {
      compiled.classes[key] = { ...described, ...compiled.classes[key] };
    }
    Object.assign(compiled.revivals, revivals);
  }
  return compiled;
}
