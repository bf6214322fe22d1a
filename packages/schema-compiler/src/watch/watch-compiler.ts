import { resolve } from 'node:path';
import type { ts } from 'typescript-json-schema';
import { buildResult, type BuildResult } from '../build-manifest.js';
import { FileCompiler } from '../compile-file.js';
import { mergeFiles } from '../compile-project.js';
import type { CompiledFile } from '../compiled-project.js';
import { openProject } from '../program/open-project.js';
import { SourceCache } from '../program/source-cache.js';
import { ImportGraph } from './import-graph.js';

/** A warm compiler for one project. It watches nothing itself: whoever does tells it what changed. */
export interface WatchCompiler {
  /**
   * Compiles what the changes concern and gives the whole project's result.
   *
   * @param changed paths of files that were changed, added or removed since the last call; all of them at first
   * @throws {ProjectError} the tsconfig cannot be read
   */
  compile(changed?: readonly string[]): BuildResult;
}

/** Keeps program, parsed files and results in memory, so that an edit costs the same in small and large projects. */
export class WarmCompiler implements WatchCompiler {
  private readonly sources = new SourceCache();
  private readonly graph = new ImportGraph();
  private readonly results = new Map<string, CompiledFile>();
  private program: ts.Program | undefined;

  constructor(private readonly projectFile: string) {}

  compile(changed: readonly string[] = []): BuildResult {
    const names = new Set(changed.map((name) => resolve(name)));
    for (const name of names) this.sources.invalidate(name);
    const project = openProject(this.projectFile, this.sources, this.program);
    const structureChanged =
      !this.program || project.sources.some(({ fileName }) => !this.results.has(fileName));
    this.program = project.program;
    const stale = structureChanged ? project.sources : this.graph.affected(project, names);
    const compiler = new FileCompiler(project);
    for (const file of stale) this.results.set(file.fileName, compiler.compile(file));
    const compiled = project.sources.map((file) => this.results.get(file.fileName)!);
    return buildResult(mergeFiles(project, compiled));
  }
}
