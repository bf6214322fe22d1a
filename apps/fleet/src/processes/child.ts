import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface ChildOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> {
  /** What the child writes when it is ready. */
  ready: RegExp;
  /** True: what it writes to its standard error is shown here, too. */
  showErrors?: boolean;
}

/** How many lines of a child are kept, to explain why it ended. */
const KEPT_LINES = 200;

/** A child process. It is started and stopped by its id, never by its name. */
export class Child {
  readonly #lines: string[] = [];
  readonly #exited: Promise<void>;

  private constructor(
    private readonly process: ChildProcess,
    private readonly name: string,
  ) {
    this.#exited = new Promise((resolve) => process.once('exit', () => resolve()));
  }

  /**
   * Starts a program and waits until it says that it is ready.
   *
   * @throws {Error} with what it wrote, when it ends before that
   */
  static async start(program: string, args: readonly string[], options: ChildOptions): Promise<Child> {
    const { ready, showErrors, ...rest } = options;
    const child = new Child(
      spawn(program, args, { ...rest, stdio: ['ignore', 'pipe', 'pipe'] }),
      program.split('/').at(-1)!,
    );
    if (showErrors) child.process.stderr!.pipe(process.stderr, { end: false });
    await child.#until(ready);
    return child;
  }

  get pid(): number {
    return this.process.pid!;
  }

  /** Resolves when the process has ended, whoever ended it. */
  get exited(): Promise<void> {
    return this.#exited;
  }

  get isAlive(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** The exit code; null while it runs, or when a signal ended it. */
  get exitCode(): number | null {
    return this.process.exitCode;
  }

  /** The last lines that it wrote. */
  get output(): string {
    return this.#lines.join('\n');
  }

  signal(signal: NodeJS.Signals): void {
    if (this.isAlive) this.process.kill(signal);
  }

  /** Sends a signal and waits for the end. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.signal(signal);
    await this.#exited;
  }

  #until(ready: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      this.process.once('error', reject);
      this.process.once('exit', (code, signal) =>
        reject(new Error(`${this.name} ended with ${code ?? signal}:\n${this.output}`)),
      );
      for (const stream of [this.process.stdout, this.process.stderr] as Readable[]) {
        createInterface(stream).on('line', (line) => {
          this.#lines.push(line);
          if (this.#lines.length > KEPT_LINES) this.#lines.shift();
          if (ready.test(line)) resolve();
        });
      }
    });
  }
}
