import type { CompiledFile, CompiledProject } from './compiled-project.js';
import { reportDuplicateNames } from './diagnostics/report-duplicate-names.js';
import { FileCompiler } from './compile-file.js';
import type { Project } from './program/open-project.js';

/** Compiles every decorated method of a project, in the order of files and lines. */
export function compileProject(project: Project): CompiledProject {
  const compiler = new FileCompiler(project);
  return mergeFiles(
    project,
    project.sources.map((file) => compiler.compile(file)),
  );
}

/** Puts the results of a project's files together, in their order. */
export function mergeFiles(
  project: Pick<Project, 'root' | 'sources'>,
  files: CompiledFile[],
): CompiledProject {
  const compiled: CompiledProject = {
    root: project.root,
    operations: reportDuplicateNames(files.flatMap(({ operations }) => operations)),
    classes: {},
    revivals: {},
    files: project.sources.map((file) => file.fileName),
  };
  for (const { classes, revivals } of files) {
    for (const [key, described] of Object.entries(classes)) {
      compiled.classes[key] = { ...described, ...compiled.classes[key] };
    }
    Object.assign(compiled.revivals, revivals);
  }
  return compiled;
}
