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

/** The program of the built package, and the compiler that projects would have. */
export const programs = {
  toolwright: join(repository, 'packages/cli/bin/toolwright.js'),
  tsc: join(repository, 'node_modules/typescript/bin/tsc'),
};

/** What projects of one package are compiled with. */
export const compilerOptions = {
  target: 'ES2022',
  module: 'nodenext',
  rootDir: 'src',
  outDir: 'dist',
  strict: true,
  skipLibCheck: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  types: ['node'],
};

/** A folder of its own outside the repository, for the commands as they are built. */
export class ProjectFolder {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-')));

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), text);
  }

  /** @throws when there is no such file */
  read(file: string): string {
    return readFileSync(this.path(file), 'utf8');
  }

  has(file: string): boolean {
    return existsSync(this.path(file));
  }

  /** @throws when `before` does not occur: the test would edit nothing */
  edit(file: string, before: string, after: string): void {
    const text = this.read(file);
    if (!text.includes(before)) throw new Error(`${file} has no ${before}`);
    this.write(file, text.replace(before, after));
  }

  /** Lets a folder of the repository be found here. */
  link(name: string, target: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    symlinkSync(join(repository, target), this.path(name), 'dir');
  }

  /** @param dependencies names of packages, to the folders of the repository where they are installed */
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

  /** Jest would tell the runner of Node.js that it is a child of another one: nothing but the path gets through. */
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
