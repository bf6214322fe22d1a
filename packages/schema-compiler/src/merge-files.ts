import { mapConditions, mapRevivals, referencesIn, type JsonSchema } from '@toolwright/manifest';
import type { CompiledFile, CompiledProject } from './compiled-project.js';
import { reportDuplicateNames } from './diagnostics/report-duplicate-names.js';
import { reportClashingKeys } from './questions/report-clashing-keys.js';

/** The result of compiling a file, with the absolute path of the file. */
export interface NamedFile extends CompiledFile {
  fileName: string;
}

/** Joins the results of a project's files, in the order of the files. */
export function mergeFiles(root: string, stored: readonly NamedFile[]): CompiledProject {
  const files = stored.map(completeConditions);
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

/**
 * Two files may use one name for different definitions. So each condition of a union gets the definitions of
 * its file, which are one object for all.
 */
function completeConditions(file: NamedFile): NamedFile {
  const { definitions, operations, questions, revivals } = file;
  if (Object.keys(definitions).length === 0) return file;
  const complete = (when: JsonSchema) =>
    referencesIn(when).length > 0 ? { ...when, $defs: definitions } : when;
  return {
    ...file,
    operations: operations.map((operation) => {
      const { input, output } = operation.revive;
      const revive = {
        ...(input && { input: mapRevivals(input, complete) }),
        ...(output && { output: mapConditions(output, complete) }),
      };
      return { ...operation, revive };
    }),
    questions: questions.map((question) =>
      question.revive ? { ...question, revive: mapConditions(question.revive, complete) } : question,
    ),
    revivals: mapRevivals(revivals, complete),
  };
}
