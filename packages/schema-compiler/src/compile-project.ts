import { readFileSync } from 'node:fs';
import { dependenciesOf, filesOf, refreshFingerprint } from './cache/fingerprint.js';
import { FileCompiler } from './compile-file.js';
import type { Compilation, Recalled } from './cache/compilation-cache.js';
import type { NamedFile } from './merge-files.js';
import { findAffected, ImportReader, isAmbient } from './program/import-graph.js';
import { openPartialProgram, readAmbientFiles } from './program/open-partial-program.js';
import { openProject, type Project } from './program/open-project.js';

/** Compiles every decorated method of a project, in the order of files and lines. */
export function compileSources(project: Project): NamedFile[] {
  const compiler = new FileCompiler(project);
  return project.sources.map((file) => ({ fileName: file.fileName, ...compiler.compile(file) }));
}

/**
 * Compiles a whole project.
 *
 * @throws {ProjectError} the tsconfig cannot be read
 */
export function compileProject(projectFile: string): Compilation {
  const project = openProject(projectFile);
  return { ...compileOnce(project), ...dependencyFingerprint(project) };
}

/**
 * Compiles a whole project whose result is not stored.
 *
 * @throws {ProjectError} the tsconfig cannot be read
 */
export function compileUnkept(projectFile: string): Pick<Compilation, 'root' | 'files'> {
  return compileOnce(openProject(projectFile));
}

function compileOnce(project: Project): Pick<Compilation, 'root' | 'files'> {
  return { root: project.root, files: compileSources(project) };
}

/** What is needed to find out later how much of a compilation is still valid. */
function dependencyFingerprint(project: Project): Omit<Compilation, 'root' | 'files'> {
  const fingerprint = dependenciesOf(project);
  return {
    imports: new ImportReader().read(project),
    surroundings: readAmbientFiles(project, ambientFiles(project)),
    fingerprint,
  };
}

/**
 * Compiles the files that the last changes affect, in a program without other sources. So the cost does not
 * grow with the project.
 *
 * @returns undefined if a change may affect every file
 */
export function compileChanges(projectFile: string, { last, changed }: Recalled): Compilation | undefined {
  const sources = new Set(last.files.map(({ fileName }) => fileName));
  const ambient = new Set(last.surroundings.ambient);
  if (!changed.every((name) => sources.has(name) && !ambient.has(name))) return undefined;
  const affected = new Set(
    [...findAffected(last.imports, changed)].filter((name) => changed.includes(name) || mayGive(name)),
  );
  const project = openPartialProgram(projectFile, [...affected], last.surroundings);
  // An edit may have made a file global, or imported a package that adds global declarations.
  if (ambientFiles(project).some((name) => !ambient.has(name))) return undefined;
  const fresh = new Map(
    compileSources({
      ...project,
      sources: project.sources.filter(({ fileName }) => affected.has(fileName)),
    }).map((file) => [file.fileName, file]),
  );
  return {
    ...last,
    files: last.files.map((file) => fresh.get(file.fileName) ?? file),
    imports: { ...last.imports, ...new ImportReader().read(project) },
    fingerprint: refreshFingerprint(last.fingerprint, changed, filesOf(project)),
  };
}

/**
 * A file without decorated classes and questions adds nothing to the manifest, whatever it imports. An
 * example is the file that starts the server.
 */
function mayGive(fileName: string): boolean {
  return /\bclass\b|\belicit\b|\bsample\b/.test(readFileSync(fileName, 'utf8'));
}

/** The files that every other file sees, without those of the standard library. */
function ambientFiles({ program }: Project): string[] {
  return program
    .getSourceFiles()
    .filter((file) => !program.isSourceFileDefaultLibrary(file) && isAmbient(file))
    .map(({ fileName }) => fileName);
}
