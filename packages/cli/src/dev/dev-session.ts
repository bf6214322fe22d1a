import { dirname, join, relative, sep } from 'node:path';
import { formatManifest, MANIFEST_FILE, type Manifest } from '@toolwright/manifest';
import {
  CommandError,
  type Terminal,
  count,
  describeError,
  exitCodes,
  styleFor,
} from '@toolwright/operate/terminal';
import { DevApp } from './app/dev-app.js';
import { type DevCompilation, type CompileProblem, formatProblem } from './problem.js';
import type { ConsoleHost } from './console/console-host.js';
import type { LocalIssuer } from './local-issuer.js';
import { type ChangedPaths, isInside, OutputFiles, type SourceWatch, watchSources } from './watch-sources.js';
import { DevCompiler, type Checked, type SchemasResult } from './compile/dev-compiler.js';
import { describePages } from '../build/project-views.js';
import { decideStep, type DevStep } from './decide-step.js';
import { KEPT_MAPS, KeptMaps } from './kept-maps.js';
import { ShownViews } from './shown-views.js';
import { SourceStacks } from './source-stacks.js';

/** The maximum number of errors and warnings at a time. One mistake in a tsconfig causes hundreds. */
const MOST_SHOWN = 20;

export interface DevOptions {
  /** Absolute path of the tsconfig. */
  project: string;
  /** Absolute path of the file that starts the app. */
  entry: string;
  args: readonly string[];
  /** Shows people what the app does; undefined if there is none. */
  console?: ConsoleHost | undefined;
  /** Signs in people as test users; undefined if the project asks for none. */
  issuer?: Pick<LocalIssuer, 'environment' | 'users'> | undefined;
  /** Where a debugger attaches; true: where Node.js says. */
  inspect?: string | true | undefined;
}

/** Compiles a project, runs its app, and applies every edit that compiles. */
export class DevSession {
  private readonly directory: string;
  private readonly compiler: DevCompiler;
  private readonly outputs = new OutputFiles();
  private readonly maps = new KeptMaps();
  private readonly stacks: SourceStacks;
  private readonly app: DevApp;
  /** Compiled files that are not written yet, because something else has an error. */
  private readonly pending = new Map<string, string | undefined>();
  private watch: SourceWatch | undefined;
  private outDir: string | undefined;
  private running: { manifest: Manifest } | undefined;
  /** Whether the app runs what was compiled last. */
  private isCurrent = false;
  private readonly views: ShownViews;
  private hasErrors = false;
  private hasNamedCompiler = false;
  /** What the last check of the server's types has found. */
  private ofTypes: readonly CompileProblem[] = [];
  /** Counts what was compiled: a check of views that ends after a newer edit says nothing. */
  private edits = 0;

  constructor(
    private readonly options: DevOptions,
    private readonly terminal: Terminal,
  ) {
    this.directory = dirname(options.project);
    this.stacks = new SourceStacks(terminal.cwd);
    this.compiler = new DevCompiler(options.project, options.entry);
    const { args, issuer, inspect } = options;
    const command = {
      directory: this.directory,
      args,
      inspect,
      further: { ...issuer?.environment, [KEPT_MAPS]: this.maps.file },
      user: issuer?.users[0]?.subject,
    };
    this.app = new DevApp(command, terminal, options.console);
    this.views = new ShownViews(this.compiler, this.app);
  }

  /** @returns the exit code, when the process is asked to stop, or an app on standard input has read everything */
  async run(stopped: Promise<void>): Promise<number> {
    const isOutput = (path: string) => this.outDir !== undefined && isInside(path, this.outDir);
    const watch = (this.watch = await watchSources(this.directory, isOutput));
    const ended = Promise.race([stopped.then(() => exitCodes.ok), this.app.finished]);
    this.app.follow = (folders) => watch.follow(folders);
    try {
      for (let changed: ChangedPaths = { sources: [], folders: [] }; ;) {
        if ((await Promise.race([ended, this.apply(changed)])) !== undefined) break;
        const next = await Promise.race([ended, watch.next()]);
        if (typeof next === 'number') break;
        changed = next;
      }
      return await ended;
    } finally {
      await Promise.all([
        this.app.stop(),
        watch.close(),
        this.compiler.close(),
        this.options.console?.close(),
      ]);
      this.maps.close();
    }
  }

  private async apply({ sources, folders }: ChangedPaths): Promise<void> {
    const isStart = sources.length === 0 && folders.length === 0;
    const edited = sources.filter((path) => !this.outputs.isOwn(path));
    if (isStart || edited.length > 0) await this.compile(edited);
    if (folders.length > 0) await this.readAgain(folders);
  }

  private async compile(files: readonly string[]): Promise<void> {
    const edit = ++this.edits;
    try {
      if (await this.showViews(files)) return void this.checkViews(edit);
      const compilation = await this.update(files);
      if (compilation) this.options.console?.built(compilation);
    } catch (error) {
      // Nothing runs, and the edit of a source changes nothing: whoever waits would wait for ever.
      if (!this.running && error instanceof CommandError) throw error;
      this.complain(error);
      this.options.console?.failed((error as Error).message);
    }
  }

  /** Shows edited views at once. @returns false if more than pages has changed */
  private async showViews(files: readonly string[]): Promise<boolean> {
    if (!this.running || !this.isCurrent || !this.app.isRunning) return false;
    const since = performance.now();
    const shown = await this.views.show(files, this.running.manifest);
    if (shown) this.noteShown(shown, since);
    return shown !== undefined;
  }

  private noteShown(names: readonly string[], since: number): void {
    if (names.length > 0)
      this.note(`showed ${names.join(', ')} (${Math.round(performance.now() - since)} ms)`);
  }

  /** Checks the types of the views that are shown. If they are right, the files of the build follow. */
  private async checkViews(edit: number): Promise<void> {
    const since = performance.now();
    try {
      const schemas = await this.compiler.checkViews();
      if (!schemas || edit !== this.edits) return;
      const { manifest, files, ofViews, pages } = schemas;
      // A file was saved meanwhile, and its edit comes next.
      if (describePages(manifest) !== describePages(this.running!.manifest)) return;
      const problems = [...this.ofTypes, ...schemas.problems];
      if (this.accept(ofViews, 'the page is shown all the same')) {
        if (this.hasErrors) this.note('no errors any more');
        this.hasErrors = false;
        this.outputs.write([...files, [join(this.directory, MANIFEST_FILE), formatManifest(manifest)]]);
        this.outputs.keep();
        this.running = { manifest };
        this.noteShown(await this.views.settle(pages), since);
      }
      this.options.console?.built({ problems, manifest, durationMs: performance.now() - since });
    } catch (error) {
      this.complain(error);
    }
  }

  /** @param folders that packages in the app have read, such as those of skills */
  private async readAgain(folders: readonly string[]): Promise<void> {
    const since = performance.now();
    const outcome = await this.app.readAgain(folders);
    // What is in the folders may be why nothing runs.
    if (outcome.is === 'ended') return this.compile([]);
    if (outcome.is === 'failed') {
      this.complain(new CommandError(outcome.message));
      return this.note('What was read before is served on.');
    }
    const names = folders.map((folder) => relative(this.terminal.cwd, folder).split(sep).join('/') || '.');
    this.note(`read ${names.join(', ')} again (${Math.round(performance.now() - since)} ms)`);
  }

  /**
   * @param files the changed files; empty at the first call
   * @returns undefined if nothing could be compiled
   */
  private async update(files: readonly string[]): Promise<DevCompilation | undefined> {
    const since = performance.now();
    this.isCurrent = false;
    const { schemas, checked: atOnce } = await this.whileCompiling(this.compiler.compile(files));
    // Comments change what models read, but not what runs.
    const isQuick = !atOnce && this.pending.size === 0 && this.running !== undefined;
    const isTaken =
      isQuick && !!schemas && this.accept(schemas.problems) && (await this.take({ schemas, since }));
    const checked = atOnce ?? (await this.whileCompiling(this.compiler.check()));
    if (!this.hasNamedCompiler) this.note(checked.compiler);
    this.hasNamedCompiler = true;
    this.outDir = checked.outDir;
    this.app.aliases = checked.aliases;
    this.watch?.alsoConfigs(checked.configs);
    this.options.console?.takeMaps(checked.maps);
    this.stacks.take(checked.maps);
    if (checked.hidesMaps) this.maps.take(checked.maps);
    for (const path of checked.gone) this.pending.set(path, undefined);
    for (const [path, text] of checked.outputs) this.pending.set(path, text);
    if (!schemas) {
      this.accept(checked.problems);
      this.options.console?.failed(checked.problems.map(({ message }) => message).join('\n'));
      return undefined;
    }
    const found = isQuick ? checked.problems : [...checked.problems, ...schemas.problems];
    const { manifest } = schemas;
    const problems = [...checked.problems, ...schemas.problems];
    this.ofTypes = checked.problems;
    const compilation = { problems, manifest, durationMs: performance.now() - since };
    if (!this.accept(found)) return compilation;
    this.outputs.write(this.pending);
    this.pending.clear();
    this.isCurrent = isQuick ? isTaken : await this.take({ schemas, checked, since });
    return compilation;
  }

  /** A person who has started it, or has saved a file, sees that something happens. */
  private async whileCompiling<T>(compilation: Promise<T>): Promise<T> {
    this.terminal.status?.('compiling…');
    try {
      return await compilation;
    } finally {
      this.terminal.status?.('');
    }
  }

  /** Prints problems. Returns false if one is an error; the running app then stays as it is. */
  private accept(problems: readonly CompileProblem[], instead?: string): boolean {
    const errors = problems.filter(({ severity }) => severity === 'error').length;
    for (const problem of problems.slice(0, MOST_SHOWN))
      this.terminal.err(formatProblem(problem, this.terminal));
    if (problems.length > MOST_SHOWN) this.terminal.err(`… and ${problems.length - MOST_SHOWN} more`);
    if (errors === 0) return true;
    this.hasErrors = true;
    const meanwhile = this.running
      ? 'the last good version continues'
      : 'the app starts when there are no errors';
    const outcome = instead ?? meanwhile;
    this.terminal.err(styleFor(this.terminal).red(`${count(errors, 'error')}; ${outcome}.`));
    return false;
  }

  /** @returns whether the app now runs what was compiled */
  private async take(change: { schemas: SchemasResult; checked?: Checked; since: number }): Promise<boolean> {
    const { schemas, checked, since } = change;
    const { manifest, files } = schemas;
    const before = this.running?.manifest;
    const step: DevStep =
      before && this.app.isRunning
        ? decideStep({ directory: this.directory, before, after: manifest, ...(checked && { checked }) })
        : { do: 'restart', reason: '' };
    if (this.hasErrors && step.do === 'nothing') this.note('no errors any more');
    this.hasErrors = false;
    if (step.do === 'nothing') {
      this.noteShown(await this.views.settle(schemas.pages), since);
      return true;
    }
    this.outputs.write([...files, [join(this.directory, MANIFEST_FILE), formatManifest(manifest)]]);
    const done = await this.bring(step, manifest, checked);
    if (!done) return false;
    this.running = { manifest };
    await this.views.settle(schemas.pages);
    this.outputs.keep();
    this.compiler.takenOver();
    if (before) this.note(`${done} (${Math.round(performance.now() - since)} ms)`);
    return true;
  }

  private note(text: string): void {
    this.terminal.err(styleFor(this.terminal).dim(text));
  }

  /** @returns what was done; undefined if the last good version continues */
  private async bring(
    step: DevStep,
    manifest: Manifest,
    checked: Checked | undefined,
  ): Promise<string | undefined> {
    if (step.do === 'swap') {
      const outcome = await this.app.swap(step, manifest);
      if (outcome.is === 'replaced') return `replaced ${step.names.join(', ')}`;
      if (outcome.is === 'failed') return void this.complain(new CommandError(outcome.message));
      return this.bring({ do: 'restart', reason: outcome.message }, manifest, checked);
    }
    if (step.do !== 'restart') return undefined;
    if (checked) this.app.entry = this.moduleOf(checked);
    const started = await this.app.restart(manifest, () => this.goBack());
    return started ? `restarted${step.reason && `: ${step.reason}`}` : undefined;
  }

  /** @returns the manifest of the last good version; undefined if there is none */
  private goBack(): Manifest | undefined {
    if (this.running) for (const [path, text] of this.outputs.rollBack()) this.pending.set(path, text);
    return this.running?.manifest;
  }

  private moduleOf({ entry, outDir }: Checked): string {
    if (outDir === undefined)
      throw new CommandError(
        `${this.options.project}: toolwright dev runs compiled files. Set "outDir", and do not set "noEmit" or "emitDeclarationOnly".`,
      );
    if (entry) return entry.module;
    throw new CommandError(
      `${this.options.entry} is neither a source of ${this.options.project} nor compiled from one. Name the entry: toolwright dev src/main.ts`,
    );
  }

  private complain(error: unknown): void {
    this.terminal.err(
      `${styleFor(this.terminal).red('error:')} ${this.stacks.inSources(describeError(error))}`,
    );
  }
}
