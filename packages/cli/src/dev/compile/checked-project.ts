import { existsSync } from 'node:fs';
import { adoptDefaults, compilerPath, extendedConfigs, findTorn } from '@toolwright/schema-compiler';
import type ts from 'typescript';
import type { CompileProblem } from '../problem.js';
import type { LoadedTypeScript } from './load-typescript.js';
import { planReload } from './plan-reload.js';

/** The result of checking the types after a change. */
export interface CheckedChange {
  problems: CompileProblem[];
  /**
   * The files to write, by path: what `tsc` would write for all changes since the last result. Empty if there
   * are errors.
   */
  outputs: [path: string, text: string][];
  /** The source maps of those modules, as text, by the path of the module. */
  maps: [module: string, text: string][];
  /** The project writes no maps, so nobody else has these. */
  hidesMaps: boolean;
  /** Compiled files whose sources no longer exist. */
  gone: string[];
  /** The sources that the app must load again. */
  reload: CheckedSource[];
  entry: CheckedSource | undefined;
}

/** A source and its compiled module, as absolute paths. */
export interface CheckedSource {
  source: string;
  module: string;
}

/**
 * The compiler's errors about options that only a newer version knows: the option, its value, or a
 * combination.
 */
const ofNewerOptions = new Set([5023, 6046, 5095]);

type Builder = ts.EmitAndSemanticDiagnosticsBuilderProgram;

/** A project that is type-checked and compiled as `tsc` does it, and stays in memory between edits. */
export class CheckedProject {
  private readonly sources = new Map<string, ts.SourceFile>();
  /** Compiled text by path, to find out which modules have changed. */
  private readonly emitted = new Map<string, string>();
  /** Sources whose modules changed since the app last loaded them. */
  private readonly changed = new Set<string>();
  /**
   * Sources that were saved since modules were last written, and those of them with more than edited
   * comments.
   */
  private readonly reread = new Set<string>();
  private readonly edited = new Set<string>();
  private readonly gone: string[] = [];
  private config: ts.ParsedCommandLine;
  /** The project writes no maps. They are made all the same, for stacks, and stay in memory. */
  private hidesMaps = false;
  private maps: [module: string, text: string][] = [];
  private builder: Builder | undefined;

  private readonly compiler: typeof ts;

  constructor(
    private readonly typescript: Omit<LoadedTypeScript, 'choice'>,
    private readonly project: string,
    /** The file that starts the app: a source or a compiled file, as an absolute path. */
    private readonly entry: string,
  ) {
    this.compiler = typescript.compiler;
    this.config = this.readConfig();
  }

  /**
   * Records which files were edited, added or removed. Call `check` next.
   *
   * @returns whether all edits since modules were last written only changed comments, so that no module
   * behaves differently
   */
  edit(files: readonly string[]): boolean {
    const paths = files.map((file) => compilerPath(file));
    const before = paths.map((path) => this.sources.get(path));
    for (const path of paths) {
      this.sources.delete(path);
      this.reread.add(path);
    }
    this.gone.push(...paths.filter((path) => !existsSync(path)).flatMap((path) => this.outputsOf(path)));
    const reopened = paths.some((path) => path.endsWith('.json') || !existsSync(path));
    if (reopened || before.includes(undefined)) this.config = this.readConfig();
    if (reopened) this.builder = undefined;
    for (const [index, file] of before.entries())
      if (!file || !this.sameWords(file)) this.edited.add(paths[index]!);
    return this.builder !== undefined && this.edited.size === 0;
  }

  /** Whether one of these files was read for the last check. */
  knowsAny(files: readonly string[]): boolean {
    return files.some((file) => this.sources.has(compilerPath(file)));
  }

  /** Checks all types. If they are right, compiles what was edited. */
  check(): CheckedChange {
    const { compiler, config } = this;
    const builder = (this.builder = compiler.createEmitAndSemanticDiagnosticsBuilderProgram(
      config.fileNames,
      config.options,
      this.createHost(),
      this.builder,
      config.errors,
      config.projectReferences,
    ));
    const problems = this.findProblems(builder);
    const failed = problems.some(({ severity }) => severity === 'error');
    const outputs = failed ? [] : this.emit(builder);
    const reload = planReload(compiler, builder.getProgram(), this.changed);
    const entry = compilerPath(this.entry);
    const compiled = config.fileNames.map((source) => ({ source, module: this.moduleOf(source) }));
    return {
      problems,
      outputs,
      maps: this.maps.splice(0),
      hidesMaps: this.hidesMaps,
      gone: this.gone.splice(0),
      reload: compiled.filter(({ source }) => reload.has(source)),
      entry: compiled.find(({ source, module }) => source === entry || module === entry),
    };
  }

  /** The names that its `paths` have. */
  get aliases(): readonly string[] {
    return Object.keys(this.config.options.paths ?? {});
  }

  /** The configs that its tsconfig extends, as absolute paths. */
  get configs(): readonly string[] {
    return extendedConfigs(this.config);
  }

  /** The folder of compiled modules; undefined if the project writes none. */
  get outDir(): string | undefined {
    const { noEmit, emitDeclarationOnly, outDir } = this.config.options;
    return noEmit || emitDeclarationOnly ? undefined : outDir;
  }

  /** Call this when the app runs the last compilation. */
  takenOver(): void {
    this.changed.clear();
  }

  private findProblems(builder: Builder): CompileProblem[] {
    const torn = findTorn(this.config, this.compiler);
    if (torn.length > 0) return torn.map((diagnostic) => this.describe(diagnostic));
    const early = [
      ...builder.getConfigFileParsingDiagnostics(),
      ...builder.getOptionsDiagnostics(),
      ...builder.getSyntacticDiagnostics(),
    ].filter(({ code }) => this.typescript.standsInFor === undefined || !ofNewerOptions.has(code));
    // As in tsc, type errors mean nothing if a file cannot be read.
    const found =
      early.length > 0 ? early : [...builder.getGlobalDiagnostics(), ...builder.getSemanticDiagnostics()];
    return found.map((diagnostic) => this.describe(diagnostic));
  }

  private emit(builder: Builder): [string, string][] {
    const outputs: [string, string][] = [];
    builder.emit(undefined, (path, written, _mark, _error, sources) => {
      const text = this.keepMap(path, written);
      if (text === undefined) return;
      outputs.push([path, text]);
      if (!/\.[cm]?js$/.test(path)) return;
      const known = this.emitted.get(path);
      this.emitted.set(path, text);
      const [source] = sources ?? [];
      if (!source || known === text) return;
      // An edit in another file may change a module (an inlined enum), and that counts as well. An edit of
      // the module's comments does not.
      if (this.edited.has(source.fileName) || !this.reread.has(source.fileName))
        this.changed.add(source.fileName);
    });
    this.edited.clear();
    this.reread.clear();
    return outputs;
  }

  /** @returns the text to write; `undefined` for a map that the project does not write */
  private keepMap(path: string, text: string): string | undefined {
    if (path.endsWith('.map')) {
      if (/\.[cm]?js\.map$/.test(path)) this.maps.push([path.slice(0, -'.map'.length), text]);
      return this.hidesMaps ? undefined : text;
    }
    return this.hidesMaps ? text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n') : text;
  }

  private moduleOf(source: string): string {
    return this.outputsOf(source).find((path) => /\.[cm]?js$/.test(path)) ?? source;
  }

  private outputsOf(source: string): readonly string[] {
    const { compiler, config } = this;
    if (!config.fileNames.includes(source) || source.endsWith('.d.ts')) return [];
    return compiler
      .getOutputFileNames(config, source, !compiler.sys.useCaseSensitiveFileNames)
      .filter((path) => !this.hidesMaps || !path.endsWith('.map'));
  }

  private describe({ file, start, category, code, messageText }: ts.Diagnostic): CompileProblem {
    const { compiler } = this;
    const position = file && start !== undefined ? file.getLineAndCharacterOfPosition(start) : undefined;
    return {
      ...(file && { file: file.fileName }),
      line: (position?.line ?? 0) + 1,
      column: (position?.character ?? 0) + 1,
      severity: category === compiler.DiagnosticCategory.Error ? 'error' : 'warning',
      code: `TS${code}`,
      message: compiler.flattenDiagnosticMessageText(messageText, '\n'),
    };
  }

  /** Whether a file differs from an earlier version only in comments and white space. */
  private sameWords({ fileName, text, languageVersion }: ts.SourceFile): boolean {
    const { compiler } = this;
    const after = compiler.sys.readFile(fileName);
    if (after === undefined) return false;
    const printer = compiler.createPrinter({ removeComments: true });
    // Both are parsed again for this, because files of the program lack what the printer needs.
    const words = (source: string) =>
      printer.printFile(compiler.createSourceFile(fileName, source, languageVersion));
    return text === after || words(text) === words(after);
  }

  /** One host per check, because it remembers which files exist. Parsed files are kept here. */
  private createHost(): ts.CompilerHost {
    const host = this.compiler.createIncrementalCompilerHost(this.config.options);
    const read = host.getSourceFile.bind(host);
    host.getSourceFile = (name, ...rest) => {
      const known = this.sources.get(name);
      if (known) return known;
      const file = read(name, ...rest);
      if (file) this.sources.set(name, file);
      return file;
    };
    return host;
  }

  private readConfig(): ts.ParsedCommandLine {
    const { compiler, project } = this;
    const problems: string[] = [];
    const parsed = compiler.getParsedCommandLineOfConfigFile(project, undefined, {
      ...compiler.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) =>
        problems.push(compiler.flattenDiagnosticMessageText(messageText, '\n')),
    });
    if (!parsed) throw new Error(`${project}: ${problems.join('; ')}`);
    const { standsInFor } = this.typescript;
    if (standsInFor !== undefined) adoptDefaults(parsed, standsInFor, compiler);
    const { sourceMap, inlineSourceMap } = parsed.options;
    this.hidesMaps = !sourceMap && !inlineSourceMap;
    if (this.hidesMaps) parsed.options.sourceMap = true;
    return parsed;
  }
}
