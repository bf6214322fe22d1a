import { relative, resolve, sep } from 'node:path';
import { hashSources, type Manifest } from '@toolwright/manifest';
import { CompilationCache, type Compilation } from './cache/compilation-cache.js';
import type { CompiledProject } from './compiled-project.js';
import { COMPILER_VERSION } from './cache/fingerprint.js';
import type { SchemaDiagnostic } from './diagnostics/diagnostic.js';
import { inspectEntries, type InspectedEntry } from './emit/inspect-entries.js';
import { withPackageFields } from './emit/build-steps.js';
import { packageName, writeManifest } from './emit/write-manifest.js';
import type { Declared, DeclaredPolicy } from './signature/read-declared.js';
import { ownTypeScript, readingTypeScript, readsAlike } from './program/own-typescript.js';
import { mergeFiles } from './merge-files.js';

export interface BuildOptions {
  /** Path of the tsconfig. */
  project: string;
  /**
   * Keep the result for the next build. That build compiles only the files that a change affects. If nothing
   * changed, it does not load TypeScript. Default true.
   */
  cache?: boolean;
}

export interface BuildResult {
  manifest: Manifest;
  /**
   * Errors first. They make a build fail, but the manifest is still complete, for `inspect` and development.
   */
  diagnostics: SchemaDiagnostic[];
  /**
   * What decorators say about methods whose signatures have no error. Checks that need more than the manifest
   * use this.
   */
  declared: DeclaredOperation[];
  typescript: TypeScriptVersions;
}

/** Which TypeScript read the signatures, and which one the project has. */
export interface TypeScriptVersions {
  used: string;
  /**
   * Set only if the project's own version differs in more than the patch number: it may read the same source
   * differently.
   */
  own?: string;
}

/** What one operation decorator of a method says. */
export interface DeclaredOperation extends Declared {
  /** `ManifestEntry.key` */
  key: string;
  /**
   * What the other decorators of the method say. Only the first operation decorator of a method carries them.
   */
  policies: DeclaredPolicy[];
}

/**
 * Compiles a project's decorated classes to a manifest. Problems of signatures are diagnostics, not exceptions.
 *
 * @throws {ProjectError} the tsconfig cannot be read
 */
export async function buildManifest(options: BuildOptions): Promise<BuildResult> {
  return buildResult(await compile(options), options.project);
}

/** Turns a compiled project into the result of a build. */
export function buildResult(compiled: CompiledProject, projectFile: string): BuildResult {
  const manifest = writeManifest(compiled, {
    compiler: COMPILER_VERSION,
    package: packageName(compiled.root),
    sourceHash: hashSources(compiled.root, compiled.files),
    sources: compiled.files.map((file) => relative(compiled.root, file).split(sep).join('/')),
  });
  const declared = compiled.operations.flatMap(({ key, declared, policies, diagnostics }) =>
    diagnostics.some(({ severity }) => severity === 'error')
      ? []
      : declared.map((each, index) => ({ key, ...each, policies: index === 0 ? policies : [] })),
  );
  return {
    manifest: withPackageFields(compiled.root, manifest),
    diagnostics: distinct(
      [compiled, ...compiled.operations, ...compiled.questions, ...compiled.schedules].flatMap(
        ({ diagnostics }) => diagnostics,
      ),
    ),
    declared,
    typescript: typescriptVersions(resolve(projectFile)),
  };
}

/** The path from a parameter to what is wrong in its type. Each tool that uses the type has another one. */
const pathOfUse = /^[^:]*?(?: \(and \d+ more\))?: /;

/** A mistake in a type that several tools use is said once, with the path from the first of them. */
function distinct(diagnostics: readonly SchemaDiagnostic[]): SchemaDiagnostic[] {
  const seen = new Map<string, SchemaDiagnostic>();
  for (const each of diagnostics) {
    const { code, file, line, column, message } = each;
    const key = `${code} ${file}:${line}:${column} ${message.replace(pathOfUse, '')}`;
    if (!seen.has(key)) seen.set(key, each);
  }
  return [...seen.values()];
}

function typescriptVersions(projectFile: string): TypeScriptVersions {
  const used = readingTypeScript();
  const own = ownTypeScript(projectFile)?.version;
  return own === undefined || readsAlike(own, used) ? { used } : { used, own };
}

/**
 * Returns everything that `toolwright inspect --json` prints, in the order of files and lines.
 *
 * @throws {ProjectError} the tsconfig cannot be read
 */
export async function inspectProject(options: BuildOptions): Promise<InspectedEntry[]> {
  return inspectEntries(await compile(options));
}

/**
 * The compiler is loaded here and nowhere else, because reading a cached manifest does not need it. It is
 * loaded with `require`, because Jest cannot run the `import()` of a compiled package.
 */
/* eslint-disable @typescript-eslint/no-require-imports */
async function compile({ project, cache = true }: BuildOptions): Promise<CompiledProject> {
  const store = cache ? new CompilationCache(project) : undefined;
  const recalled = store?.read();
  if (recalled && recalled.changed.length === 0) return merged(recalled.last);
  const compiler = require('./compile-project.js') as typeof import('./compile-project.js');
  if (!store) return merged(compiler.compileUnkept(project));
  const compilation =
    (recalled && compiler.compileChanges(project, recalled)) ?? compiler.compileProject(project);
  store.write(compilation);
  return merged(compilation);
}

function merged({ root, files }: Pick<Compilation, 'root' | 'files'>): CompiledProject {
  return mergeFiles(root, files);
}
