import { join } from 'node:path';
import { Child } from './child.js';
import { requireNewerNode } from './find-program.js';

/** The compiled programs of this app. This file runs from `src` in tests, and from `dist` otherwise. */
export const PROGRAMS = join(__dirname, '..', '..', 'dist');

interface NodeProgram {
  /** The file of this app that it runs. */
  readonly file: string;
  /** The program and the words that run the file, if it does not run by itself. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  /** What it writes when it is ready. */
  readonly ready: RegExp;
}

/** A program of this app in a process of its own. */
export abstract class NodeProcess {
  /** The folder of the compiled programs. Set it before a launch to run those of another build. */
  programs: string;
  #child: Child | undefined;

  protected constructor(
    /** How it calls itself in logs and answers. */
    readonly name: string,
    private readonly program: NodeProgram,
    private readonly environment: NodeJS.ProcessEnv,
  ) {
    this.programs = environment.FLEET_PROGRAMS ?? PROGRAMS;
  }

  get pid(): number {
    return this.#child!.pid;
  }

  get exited(): Promise<void> {
    return this.#child!.exited;
  }

  /** What it has logged of late. */
  get output(): string {
    return this.#child!.output;
  }

  get exitCode(): number | null {
    return this.#child!.exitCode;
  }

  /** Starts it, or starts it again. */
  async launch(): Promise<void> {
    const { file, before = [], after = [], ready } = this.program;
    this.#child = await Child.start(requireNewerNode(), [...before, join(this.programs, file), ...after], {
      env: { ...process.env, ...this.environment, INSTANCE: this.name },
      ready,
    });
  }

  /** Asks it to stop, and waits until it has finished its calls. */
  async stop(): Promise<void> {
    await this.#child!.end('SIGTERM');
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    await this.#child!.end('SIGKILL');
  }
}
