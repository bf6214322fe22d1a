import { readFileSync } from 'node:fs';
import { dependenciesOf, filesOf } from './cache/dependencies-of.js';
import { refreshFingerprint } from './cache/fingerprint.js';
import { FileCompiler } from './compile-file.js';
import type { Compilation, Recalled } from './cache/compilation-cache.js';
import type { NamedFile } from './merge-files.js';
import { findAffected, ImportReader, isAmbient } from './program/import-graph.js';
import { openNarrowly, readSurroundings } from './program/open-narrowly.js';
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
  return { ...compileOnce(project), ...whatItStandsOn(project) };
}

/** Compiles a whole project, of which nothing is kept. @throws {ProjectError} the tsconfig cannot be read */
export function compileUnkept(projectFile: string): Pick<Compilation, 'root' | 'files'> {
  return compileOnce(openProject(projectFile));
}

function compileOnce(project: Project): Pick<Compilation, 'root' | 'files'> {
  return { root: project.root, files: compileSources(project) };
}

/** What is needed to tell later how much of a compilation is still true. */
function whatItStandsOn(project: Project): Omit<Compilation, 'root' | 'files'> {
  const fingerprint = dependenciesOf(project);
  return {
    imports: new ImportReader().read(project),
    surroundings: readSurroundings(project, ambientFiles(project)),
    fingerprint,
  };
}

/**
 * Compiles what the changes since the last time concern, in a program that has no other sources: its cost does not
 * grow with the project.
 *
 * @returns undefined where a change may concern every file
 */
export function compileChanges(projectFile: string, { last, changed }: Recalled): Compilation | undefined {
  const sources = new Set(last.files.map(({ fileName }) => fileName));
  const ambient = new Set(last.surroundings.ambient);
  if (!changed.every((name) => sources.has(name) && !ambient.has(name))) return undefined;
  const affected = new Set(
    [...findAffected(last.imports, changed)].filter((name) => changed.includes(name) || mayGive(name)),
  );
  const project = openNarrowly(projectFile, [...affected], last.surroundings);
  // An edit may have made a file ambient, or import a package that declares something for all.
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

/** A file without classes and questions gives nothing, whatever it imports: so does the one that starts the server. */
function mayGive(fileName: string): boolean {
  return /\bclass\b|\belicit\b|\bsample\b/.test(readFileSync(fileName, 'utf8'));
}

/** Files that every other one sees, but for the standard library. */
function ambientFiles({ program }: Project): string[] {
  return program
    .getSourceFiles()
    .filter((file) => !program.isSourceFileDefaultLibrary(file) && isAmbient(file))
    .map(({ fileName }) => fileName);
}
