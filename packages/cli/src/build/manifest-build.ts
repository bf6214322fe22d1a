import { type Manifest, formatManifest } from '@toolwright/manifest';
import { type BuildResult, createWatchCompiler } from '@toolwright/schema-compiler';
import { type FSWatcher, watch } from 'chokidar';
import { once } from 'node:events';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ChangedFiles } from '../changes/changed-files.js';
import { signalled } from '../changes/signalled.js';
import { sourceFile } from '../changes/watched-files.js';
import { writeAtomically } from '../changes/write-atomically.js';
import { type Terminal, count, exitCodes, styleFor, currentText } from '@toolwright/operate/terminal';
import { type BuildDiagnostic, checkAgain, findBootDiagnostics } from './boot-diagnostics.js';
import { findProjectWarnings, projectNotes, secretsNote } from './project-notes.js';
import { KeptViews } from './kept-views.js';
import { buildProjectViews, formatPages } from './project-views.js';

/** A project, and the manifest that it is compiled to. */
export class ManifestBuild {
  readonly project: string;
  readonly out: string;
  /** What is kept from one build to the next. */
  private kept: { readonly views: KeptViews; readonly check: ReturnType<typeof checkAgain> } | undefined;

  constructor(
    options: { project: string; out: string },
    private readonly terminal: Terminal,
  ) {
    this.project = resolve(terminal.cwd, options.project);
    this.out = resolve(terminal.cwd, options.out);
  }

  /** @returns the exit code */
  async run(): Promise<number> {
    const { buildManifest } = await import('@toolwright/schema-compiler');
    return this.finish(await buildManifest({ project: this.project }));
  }

  /** Keeps what the next build needs again. Call this before the first of several builds. */
  keep(): void {
    this.kept = { views: new KeptViews(this), check: checkAgain() };
  }

  /** Prints the diagnostics. If none is an error, it writes the manifest. */
  async finish({
    manifest: compiled,
    diagnostics: ofCompiler,
    declared,
    typescript,
  }: BuildResult): Promise<number> {
    const built = { manifest: compiled, declared };
    const ofBoot = [...(await findBootDiagnostics(built, this.kept?.check)).values()].flat();
    const root = dirname(this.project);
    const ofProject = findProjectWarnings(root, compiled);
    const views = await (this.kept
      ? this.kept.views.build(built)
      : buildProjectViews(built, { project: this.project, out: this.out }));
    const { manifest } = views;
    const diagnostics: BuildDiagnostic[] = [...ofCompiler, ...ofBoot, ...views.diagnostics, ...ofProject];
    // The types of the tools help to repair a view that does not fit them.
    for (const [path, text] of views.declarations) writeIfChanged(join(root, path), text, root);
    for (const diagnostic of diagnostics) this.terminal.err(this.format(diagnostic));
    const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
    if (errors > 0) {
      const { red } = styleFor(this.terminal);
      this.terminal.err(red(`${count(errors, 'error')}: ${this.nameOf(this.out)} was not written.`));
      return exitCodes.failed;
    }
    for (const note of projectNotes(this.project, typescript.own ?? typescript.used)) this.terminal.err(note);
    for (const note of secretsNote(manifest)) this.terminal.err(note);
    if (typescript.own) this.terminal.err(describeCompiler(typescript));
    if (manifest.entries.length === 0) this.terminal.err(nothingFound(this.nameOf(this.project), manifest));
    // A server that starts now finds the pages of its manifest.
    const write = (path: string, text: string, what: string) => {
      const written = writeIfChanged(path, text, root);
      this.terminal.out(`${this.nameOf(path)}: ${what}${written ? '' : ' (unchanged)'}`);
    };
    if (views.pages) {
      const { name, texts } = views.pages;
      const pages = count(Object.keys(texts).length, 'page');
      write(join(dirname(this.out), name), formatPages(views.pages), pages);
    }
    write(this.out, formatManifest(manifest), describe(manifest));
    return exitCodes.ok;
  }

  private format({ file, line, column, severity, code, message }: BuildDiagnostic): string {
    const { yellow, red } = styleFor(this.terminal);
    const place = `${this.nameOf(resolve(dirname(this.project), file))}:${line}:${column}`;
    return severity === 'error'
      ? // The code comes first, because programs read `file:line:column: code: message`.
        `${place}: ${red(code)}: error: ${message}`
      : `${place}: ${yellow('warning')}: ${code}: ${message}`;
  }

  /** A path that an editor or a shell in the working directory can open. */
  private nameOf(path: string): string {
    return relative(this.terminal.cwd, path).split(sep).join('/');
  }
}

/** A note for projects whose own TypeScript is not the one that reads their signatures. */
function describeCompiler({ used, own }: BuildResult['typescript']): string {
  return `note: TypeScript ${used} read the signatures; the project compiles with its own ${own}.`;
}

/** A note for projects in which the compiler has found nothing to do. A server that only adds tools at run time is one. */
function nothingFound(project: string, { classes }: Manifest): string {
  const isAbstract = Object.values(classes).some((each) => each.abstract);
  const hint = isAbstract ? ' The methods of an abstract class are found in the classes that extend it.' : '';
  return `note: No decorated method was found. Is the decorator, such as @McpTool, imported from @toolwright/core? Does ${project} include its file?${hint}`;
}

function describe({ entries }: Manifest): string {
  const classes = new Set(entries.map((entry) => entry.class)).size;
  return `${count(entries.length, 'method')} of ${count(classes, 'class', 'classes')}`;
}

/**
 * The file is replaced in one step, so that a starting server never reads half of it. If nothing changed, it
 * is not written.
 */
function writeIfChanged(path: string, text: string, project: string): boolean {
  if (currentText(path) === text) return false;
  writeAtomically(path, text, project);
  return true;
}

/** Folders that nobody watches. */
export const ignoredFolder = /(^|[\\/])(node_modules|dist|\.[^\\/]+)([\\/]|$)/;
const config = /tsconfig[^\\/]*\.json$/;

/** Builds now and after every change in the project's folder, until the process gets a signal to stop. */
export async function watchBuild(build: ManifestBuild, terminal: Terminal): Promise<void> {
  const stopped = signalled();
  build.keep();
  const folder = dirname(build.project);
  const watcher = watch(folder, {
    ignored: (path) => ignoredFolder.test(relative(folder, path)),
    ignoreInitial: true,
  });
  try {
    // The watcher starts before the first build reads a file, so that no change is missed.
    await once(watcher, 'ready');
    await buildOnChange({ build, terminal, watcher, stopped });
  } finally {
    await watcher.close();
  }
}

interface Watched {
  build: ManifestBuild;
  terminal: Terminal;
  watcher: FSWatcher;
  stopped: Promise<void>;
}

async function buildOnChange({ build, terminal, watcher, stopped }: Watched): Promise<void> {
  const changed = new ChangedFiles();
  watcher.on('all', (_event, path) => {
    if (config.test(path) || sourceFile.test(path)) changed.add(path);
  });
  let compiler = await createWatchCompiler(build);
  const compile = async (files: string[]) => {
    try {
      if (files.some((file) => config.test(file))) compiler = await createWatchCompiler(build);
      await build.finish(compiler.compile(files));
    } catch (error) {
      // While somebody edits a tsconfig, it may be broken for a moment. The next change may fix it.
      terminal.err(`${styleFor(terminal).red('error:')} ${(error as Error).message}`);
    }
  };
  await compile([]);
  terminal.out('Watching for changes; press Ctrl+C to stop.');
  // Builds run one after the other. Otherwise a slow build could replace the manifest of a newer one.
  for (let files; (files = await Promise.race([stopped, changed.next()]));) await compile(files);
  changed.close();
}
