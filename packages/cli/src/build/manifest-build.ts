import { dirname, relative, resolve, sep } from 'node:path';
import { formatManifest, type Manifest } from '@toolwright/manifest';
import type { BuildResult } from '@toolwright/schema-compiler';
import { exitCodes } from '../command-error.js';
import { styleFor } from '../terminal/style.js';
import type { Terminal } from '../terminal/terminal.js';
import { findBootDiagnostics, type BuildDiagnostic } from './boot-diagnostics.js';
import { count } from '../output/count.js';
import { currentText } from '../changes/current-text.js';
import { writeAtomically } from '../changes/write-atomically.js';

/** A project, and the manifest that it is compiled to. */
export class ManifestBuild {
  readonly project: string;
  readonly out: string;

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

  /** Prints the diagnostics. If none is an error, it writes the manifest. */
  async finish({ manifest, diagnostics: ofCompiler, declared, typescript }: BuildResult): Promise<number> {
    const ofBoot = [...(await findBootDiagnostics({ manifest, declared })).values()].flat();
    const diagnostics: BuildDiagnostic[] = [...ofCompiler, ...ofBoot];
    for (const diagnostic of diagnostics) this.terminal.err(this.format(diagnostic));
    const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
    if (errors > 0) {
      const { red } = styleFor(this.terminal);
      this.terminal.err(red(`${count(errors, 'error')}: ${this.nameOf(this.out)} was not written.`));
      return exitCodes.failed;
    }
    if (typescript.own) this.terminal.err(describeCompiler(typescript));
    const written = writeIfChanged(this.out, formatManifest(manifest), dirname(this.project));
    this.terminal.out(`${this.nameOf(this.out)}: ${describe(manifest)}${written ? '' : ' (unchanged)'}`);
    return exitCodes.ok;
  }

  private format({ file, line, column, severity, code, message }: BuildDiagnostic): string {
    const { yellow, red } = styleFor(this.terminal);
    const place = `${this.nameOf(resolve(dirname(this.project), file))}:${line}:${column}`;
    return severity === 'error'
      ? `${place}: ${red(code)}: ${message}`
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
