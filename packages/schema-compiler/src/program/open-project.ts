import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { MANIFEST_FILE } from '@toolwright/manifest';
import { ts } from '../generator/tjs-adapter.js';
import { ProjectError } from '../diagnostics/diagnostic.js';
import { adoptDefaults, ownTypeScript } from './own-typescript.js';
import { standInForCore } from './core-stand-in.js';
import { keepAliases } from './kept-aliases.js';
import { findTorn } from './torn-config.js';
import { SourceCache } from './source-cache.js';

/** A parsed tsconfig, and a program over its files. Type errors are left to `tsc`. */
export interface Project {
  /** Absolute path of the tsconfig. */
  configFile: string;
  /** The folder of the tsconfig. Every path in a manifest is relative to it. */
  root: string;
  options: ts.CompilerOptions;
  /**
   * The parsed tsconfig: the files that it names, the folders that it searches, the configs that it extends.
   */
  config: ts.ParsedCommandLine;
  program: ts.Program;
  checker: ts.TypeChecker;
  /**
   * The project's own sources, in a stable order, without declaration files and without files of other
   * packages.
   */
  sources: ts.SourceFile[];
}

export interface OpenOptions {
  /** Source files of an earlier program of the same process. */
  sources?: SourceCache;
  /** The earlier program, whose unchanged parts are used again. */
  previous?: ts.Program | undefined;
}

/**
 * Parses a tsconfig and creates the program.
 *
 * @param configFile path of the tsconfig, absolute or relative to the working directory
 * @throws {ProjectError}
 */
export function openProject(
  configFile: string,
  { sources = new SourceCache(), previous }: OpenOptions = {},
): Project {
  const path = resolve(configFile);
  const config = readConfig(path);
  const standIn = standInForCore(dirname(path), config.options);
  const host = sources.createHost(config.options, standIn);
  const program = ts.createProgram({
    rootNames: config.fileNames,
    options: config.options,
    host,
    oldProgram: previous,
  });
  return assembleProject(path, config, program);
}

/** @param configFile absolute path of the tsconfig */
export function assembleProject(
  configFile: string,
  config: ts.ParsedCommandLine,
  program: ts.Program,
): Project {
  const root = dirname(configFile);
  const checker = program.getTypeChecker();
  keepAliases(program, checker);
  return {
    configFile,
    root,
    options: config.options,
    config,
    program,
    checker,
    sources: projectSources(program, new Set(config.fileNames.map((name) => resolve(name))), root),
  };
}

/** Parses a tsconfig without creating a program. */
export function readConfig(path: string): ts.ParsedCommandLine {
  const problems: string[] = [];
  const note = (diagnostic: ts.Diagnostic) =>
    problems.push(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
  const config = ts.getParsedCommandLineOfConfigFile(path, schemaOptions, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: note,
  });
  if (!ts.sys.fileExists(path))
    throw new ProjectError(
      `There is no ${path}. Run the command in the folder of the project, or name its tsconfig with --project.`,
    );
  if (!config) throw new ProjectError(`${path}: ${problems.join('; ') || 'cannot be read'}`);
  refuseTorn(path, config);
  adoptDefaults(config, ownTypeScript(path)?.version, ts);
  config.options.incremental = undefined;
  config.options.composite = undefined;
  config.options.tsBuildInfoFile = undefined;
  return config;
}

/** @throws {ProjectError} if the tsconfig, or one that it extends, cannot be read */
function refuseTorn(path: string, config: ts.ParsedCommandLine): void {
  const [torn] = findTorn(config, ts);
  if (torn) throw new ProjectError(`${placeOf(torn) ?? path}: ${String(torn.messageText)}`);
}

function placeOf({ file, start }: ts.Diagnostic): string | undefined {
  if (!file || start === undefined) return undefined;
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return `${file.fileName}:${line + 1}:${character + 1}`;
}

/**
 * Signatures need to know what is optional and what may be null, however strict the project is. The compiler
 * emits nothing. The project's other options stay, because they decide how imports and types are resolved.
 */
const schemaOptions: ts.CompilerOptions = {
  noEmit: true,
  strictNullChecks: true,
  skipLibCheck: true,
  noResolve: false,
};

function projectSources(program: ts.Program, roots: Set<string>, folder: string): ts.SourceFile[] {
  return (
    program
      .getSourceFiles()
      // An application may import its manifest, which must not depend on itself.
      .filter((file) => basename(file.fileName) !== MANIFEST_FILE)
      .filter((file) => !file.isDeclarationFile && !program.isSourceFileFromExternalLibrary(file))
      .filter((file) => roots.has(resolve(file.fileName)) || isInside(folder, file.fileName))
      .sort((a, b) => (a.fileName < b.fileName ? -1 : 1))
  );
}

function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return !path.startsWith('..') && !isAbsolute(path) && !path.split(sep).includes('node_modules');
}
