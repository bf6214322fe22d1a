import type { ts } from '../generator/tjs-adapter.js';
import { buildResult, type BuildResult } from '../build-manifest.js';
import { FileCompiler } from '../compile-file.js';
import type { CompiledFile } from '../compiled-project.js';
import { mergeFiles } from '../merge-files.js';
import { compilerPath } from '../program/compiler-path.js';
import { findAffected, ImportReader, isAmbient } from '../program/import-graph.js';
import { openProject, type Project } from '../program/open-project.js';
import { SourceCache } from '../program/source-cache.js';

/** A compiler for one project that stays in memory. It does not watch files: the caller says what changed. */
export interface WatchCompiler {
  /**
   * Compiles what the changes affect, and returns the result for the whole project.
   *
   * @param changed paths of files that were changed, added or removed since the last call; without it, all
   * files
   * @throws {ProjectError} the tsconfig cannot be read
   */
  compile(changed?: readonly string[]): BuildResult;
}

/**
 * Keeps program, parsed files and results in memory, so that an edit takes the same time in small and large
 * projects.
 */
export class WarmCompiler implements WatchCompiler {
  private readonly sources = new SourceCache();
  private readonly imports = new ImportReader();
  private readonly results = new Map<string, CompiledFile>();
  private program: ts.Program | undefined;

  constructor(private readonly projectFile: string) {}

  compile(changed: readonly string[] = []): BuildResult {
    const names = new Set(changed.map((name) => compilerPath(name)));
    for (const name of names) this.sources.invalidate(name);
    const project = openProject(this.projectFile, { sources: this.sources, previous: this.program });
    const structureChanged =
      !this.program || project.sources.some(({ fileName }) => !this.results.has(fileName));
    this.program = project.program;
    const stale = structureChanged ? project.sources : this.affected(project, names);
    const compiler = new FileCompiler(project);
    for (const file of stale) this.results.set(file.fileName, compiler.compile(file));
    const files = project.sources.map(({ fileName }) => ({ fileName, ...this.results.get(fileName)! }));
    return buildResult(mergeFiles(project.root, files), this.projectFile);
  }

  /**
   * The sources whose types may depend on a changed file. All sources, if a change affects the global scope.
   */
  private affected(project: Project, changed: ReadonlySet<string>): ts.SourceFile[] {
    const { program, sources } = project;
    if ([...changed].some((name) => isAmbient(program.getSourceFile(name)))) return sources;
    const affected = findAffected(this.imports.read(project), changed);
    return sources.filter(({ fileName }) => affected.has(fileName));
  }
}
