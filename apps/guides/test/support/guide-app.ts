import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programs } from '../../../../packages/cli/test/support/project-folder.js';

const app = join(__dirname, '../..');
/** TypeScript 7 needs a sixth of the time of 5.9. */
const { tsc } = programs;

/** A server of a guide that runs. */
export interface RunningGuide {
  url: string;
  /** Tells it to stop, and waits. Resolves with its exit code. */
  stop(): Promise<number>;
  /** Resolves with the exit code, however it ends. */
  ended: Promise<number>;
}

/** The folder in which a reader of a guide works. It finds the packages of the workspace. */
export class GuideApp {
  readonly folder: string;

  constructor(tsconfig: object) {
    // Below this app, so that imports find its dependencies; ignored by git.
    const parent = join(app, '.toolwright');
    mkdirSync(parent, { recursive: true });
    this.folder = mkdtempSync(join(parent, 'guide-'));
    mkdirSync(join(this.folder, 'src'));
    this.write('package.json', JSON.stringify({ name: 'notes', version: '1.0.0', type: 'module' }));
    this.write('tsconfig.json', JSON.stringify(tsconfig));
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** What `npm run build` does. */
  build(): void {
    this.expectSuccess('tsc');
    this.expectSuccess('toolwright', 'build');
  }

  /** Runs a program of the dependencies. */
  run(program: string, ...words: string[]): { status: number | null; output: string } {
    const bin = program === 'tsc' ? tsc : join(app, 'node_modules/.bin', program);
    const { status, stdout, stderr } = spawnSync(bin, words, { cwd: this.folder, encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  /** What `node --test` says of the compiled tests. */
  test(name = 'notes'): { status: number | null; output: string } {
    const words = ['--test', join(this.folder, `dist/${name}.test.js`)];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      cwd: this.folder,
      encoding: 'utf8',
      // `node --test` would report to the Jest that it takes for its parent.
      env: { PATH: process.env['PATH'] },
    });
    return { status, output: stdout + stderr };
  }

  /** Starts `dist/main.js`. What it writes to standard error goes to `onError`, if there is one. */
  async start(env: Record<string, string> = {}, onError?: (line: string) => void): Promise<RunningGuide> {
    const server = spawn(process.execPath, ['dist/main.js'], {
      cwd: this.folder,
      env: { PATH: process.env['PATH'], PORT: '0', ...env },
      stdio: ['ignore', 'pipe', onError === undefined ? 'inherit' : 'pipe'],
    });
    if (onError !== undefined) createInterface(server.stderr!).on('line', onError);
    const ended = once(server, 'exit').then(([code]) => code as number);
    const stop = () => {
      server.kill('SIGTERM');
      return ended;
    };
    for await (const line of createInterface(server.stdout!)) {
      const [, url] = / listening on (http\S+)$/.exec(line) ?? [];
      if (url !== undefined) return { url, stop, ended };
    }
    throw new Error('The server ended before it listened.');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private expectSuccess(program: string, ...words: string[]): void {
    const { status, output } = this.run(program, ...words);
    if (status !== 0) throw new Error(`${program} ${words.join(' ')}:\n${output}`);
  }
}
