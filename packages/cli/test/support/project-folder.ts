import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const repository = join(__dirname, '../../../..');

/** The program of the built package, and the compiler of a project. */
export const programs = {
  toolwright: join(repository, 'packages/cli/bin/toolwright.js'),
  tsc: join(repository, 'node_modules/typescript/bin/tsc'),
};

/** The compiler options of a project with one package. */
export const compilerOptions = {
  target: 'ES2022',
  // Without the types of browsers, the compiler needs a sixth less of the time of each command.
  lib: ['ES2022'],
  module: 'nodenext',
  rootDir: 'src',
  outDir: 'dist',
  strict: true,
  skipLibCheck: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  types: ['node'],
};

/** A folder outside the repository, for the built commands. */
export class ProjectFolder {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-')));

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), text);
  }

  /** @throws if there is no such file */
  read(file: string): string {
    return readFileSync(this.path(file), 'utf8');
  }

  has(file: string): boolean {
    return existsSync(this.path(file));
  }

  /** @throws if `before` does not occur, because the test would then edit nothing */
  edit(file: string, before: string, after: string): void {
    const text = this.read(file);
    if (!text.includes(before)) throw new Error(`${file} has no ${before}`);
    this.write(file, text.replace(before, after));
  }

  /** Makes a folder of the repository available in this folder. */
  link(name: string, target: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    symlinkSync(join(repository, target), this.path(name), 'dir');
  }

  /** @param dependencies for each package, the folder of the repository where it is installed */
  install(dependencies: Record<string, string>): void {
    for (const [name, target] of Object.entries(dependencies)) this.link(`node_modules/${name}`, target);
  }

  toolwright(...words: string[]) {
    return this.node(programs.toolwright, ...words);
  }

  compile(...words: string[]) {
    return this.node(programs.tsc, '-p', '.', ...words);
  }

  node(...words: string[]) {
    return this.nodeIn('.', ...words);
  }

  /**
   * Only PATH is passed on. Otherwise Jest's variables would tell the test runner of Node.js that it runs
   * inside another runner.
   */
  nodeIn(folder: string, ...words: string[]) {
    const options = {
      cwd: this.path(folder),
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    } as const;
    return spawnSync(process.execPath, words, options);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
