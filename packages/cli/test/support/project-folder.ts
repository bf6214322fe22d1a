import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const repository = join(__dirname, '../../../..');

/** The program of the built package, and the compiler of a project. */
export const programs = {
  toolwright: join(repository, 'packages/cli/bin/toolwright.js'),
  // It needs a sixth of the time of TypeScript 5.9. `typescript-versions.test.ts` tries each version that users have.
  tsc: join(repository, 'packages/cli/node_modules/typescript-7/bin/tsc'),
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

/** What projects were built to, by the content of their sources and of the packages that built them. */
const builds = join(repository, 'node_modules/.cache/toolwright-test-builds');
const outputs = ['dist', 'mcp.manifest.json'];

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

  /**
   * Compiles the project, and writes its manifest. Suites share what was built: a project with the same files gets a copy.
   *
   * @throws {Error} with what the programs wrote, if one of them fails
   */
  build(): void {
    const shared = join(builds, this.#key());
    if (!existsSync(shared)) {
      for (const { status, stdout, stderr } of [this.compile(), this.toolwright('build')])
        if (status !== 0) throw new Error(stdout + stderr);
      this.#share(shared);
    } else for (const name of outputs) cpSync(join(shared, name), this.path(name), { recursive: true });
  }

  /** Puts a copy of the outputs where others look for it, in one step: several test files may be at it. */
  #share(target: string): void {
    mkdirSync(builds, { recursive: true });
    const copy = mkdtempSync(`${target}-`);
    for (const name of outputs) cpSync(this.path(name), join(copy, name), { recursive: true });
    try {
      renameSync(copy, target);
    } catch {
      // Another one was faster.
      rmSync(copy, { recursive: true });
    }
  }

  #key(): string {
    const hash = createHash('sha256');
    // Not the whole folder at once: links in node_modules lead in circles.
    const files = [
      ...readdirSync(this.folder),
      ...readdirSync(this.path('src'), { recursive: true, encoding: 'utf8' }).map((file) =>
        join('src', file),
      ),
    ].filter((file) => statSync(this.path(file)).isFile());
    for (const file of files.sort()) hash.update(`${file}\0${this.read(file)}\0`);
    for (const name of ['cli', 'core', 'manifest', 'schema-compiler']) {
      const { mtimeMs } = statSync(join(repository, 'packages', name, 'dist/.tsbuildinfo'));
      hash.update(`${name} ${mtimeMs}`);
    }
    return hash.digest('hex');
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
