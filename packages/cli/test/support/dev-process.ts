import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { DevProject } from './dev-project.js';
import { programs } from './project-folder.js';

/** Long enough for the slowest machine. Only a failing test waits this long for the first output. */
const PATIENCE_MS = 240_000;

/** How long a dev may print nothing once it serves: a failing test then says what was printed in place of its sentence. */
const SILENCE_MS = 60_000;

interface Surroundings {
  env: Record<string, string>;
}

/** A running `toolwright dev`. */
export class DevProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exited: Promise<number | null>;
  stdout = '';
  private stderr = '';
  /** The position where `says` continues to read. */
  private heard = 0;
  private look: () => void = () => undefined;

  /** @param words the words of the command; further variables of its environment may stand before them */
  constructor(project: Pick<DevProject, 'folder' | 'path'>, ...words: (string | Surroundings)[]) {
    const args = words.filter((word) => typeof word === 'string');
    const [{ env } = { env: {} }] = words.filter((word) => typeof word === 'object');
    this.child = spawn(process.execPath, [programs.toolwright, 'dev', ...args], {
      cwd: project.folder,
      env: {
        ...process.env,
        ...env,
        PORT: '0',
        NO_COLOR: '1',
        FORCE_COLOR: undefined,
        // What a run leaves for agents.
        XDG_RUNTIME_DIR: project.path('.runtime'),
      },
    });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.look();
    });
    this.exited = new Promise((resolve) => this.child.once('close', (code) => resolve(code)));
  }

  /**
   * Waits until new output matches. Earlier output is not searched again.
   *
   * @throws with what was printed, if dev ends, or prints nothing more
   */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    let timer: NodeJS.Timeout | undefined;
    try {
      const found = await new Promise<RegExpExecArray>((resolve, reject) => {
        const miss = (state: string) => reject(this.missed(pattern, state));
        this.look = () => {
          const match = pattern.exec(this.stderr.slice(this.heard));
          if (match) return resolve(match);
          clearTimeout(timer);
          const patience = this.serves ? SILENCE_MS : PATIENCE_MS;
          timer = setTimeout(() => miss(`has printed nothing for ${patience / 1000} s`), patience);
        };
        void this.exited.then((code) => miss(`ended with ${code}`));
        this.look();
      });
      this.heard += found.index + found[0].length;
      return found;
    } finally {
      clearTimeout(timer);
      this.look = () => undefined;
    }
  }

  private get serves(): boolean {
    return this.stderr.includes(' serves MCP on ');
  }

  /** Everything on standard error. */
  get printed(): string {
    return this.stderr;
  }

  private missed(pattern: RegExp, state: string): Error {
    const [before, since] = [this.stderr.slice(0, this.heard), this.stderr.slice(this.heard)];
    const printed = `since the last sentence that was awaited:\n${since}\nbefore:\n${before}\non standard output:\n${this.stdout}`;
    return new Error(`dev ${state}, and did not say ${String(pattern)}. It printed ${printed}`);
  }

  /** The URL of the MCP endpoint, once it is served. */
  async url(): Promise<URL> {
    const [, url] = await this.says(/serves MCP on (\S+)/);
    await this.says(/Ctrl\+C stops it/);
    return new URL(url!);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.exited;
  }
}
