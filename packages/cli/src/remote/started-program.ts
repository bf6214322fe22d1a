import { codeOf, holdGroup, reasonOf } from '@toolwright/json';
import { endGroup } from '@toolwright/core/transport';
import spawn from 'cross-spawn';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Terminal, usageError } from '@toolwright/operate/terminal';
import { eachLine, LONGEST_SHOWN } from './limits.js';

/** How long a program may still take after SIGTERM, in milliseconds. */
const AFTER_TERM_MS = 1_000;
const LOOK_EVERY_MS = 20;

interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly stdin: 'pipe' | 'ignore';
  readonly env?: Terminal['env'];
  /** Default: the folder of the terminal. */
  readonly cwd?: string;
}

type Named = Pick<Start, 'command' | 'args'>;

/**
 * Node.js prints its own stack for a file that is not there.
 *
 * @throws {CommandError} if there is no such file
 */
export function requireFile({ command, args: [file = ''] }: Named, cwd: string): void {
  const isNode = command === process.execPath || /^node(?:\.exe)?$/.test(basename(command));
  if (isNode && /^[^-].*\.[cm]?[jt]s$/.test(file) && !existsSync(resolve(cwd, file)))
    throw usageError(`There is no ${file}.`);
}

/** Why a program has not started, to follow its name. */
export function whyNotStarted(error: Error, { command }: Pick<Start, 'command'>, cwd: string): string {
  const code = codeOf(error);
  if (code === 'EACCES') return `cannot be started: your user may not run ${command}`;
  if (code !== 'ENOENT') return `cannot be started: ${reasonOf(error)}`;
  if (!existsSync(cwd)) return `cannot be started: there is no folder ${cwd}`;
  return `cannot be started: there is no program ${command}`;
}

/**
 * A program that was started for one command. It has a process group of its own: behind `npm run`, `npx` and a shell, the
 * server is a process that they started, and it must not outlive the command.
 */
export class StartedProgram {
  readonly child: ChildProcess;
  #hasExited = false;
  #release: (() => void) | undefined;

  constructor({ command, args, stdin, env, cwd }: Start, terminal: Pick<Terminal, 'cwd' | 'err'>) {
    // On Windows `npx` and its kind are batch files, which `spawn` of Node.js does not start.
    const child = spawn(command, [...args], {
      cwd: cwd ?? terminal.cwd,
      ...(env && { env }),
      stdio: [stdin, 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.child = child;
    child.once('exit', () => (this.#hasExited = true)).once('error', () => (this.#hasExited = true));
    // A process that ends no longer reads; `exit` reports that.
    child.stdin?.on('error', () => undefined);
    eachLine(child.stderr!, { line: (text) => terminal.err(text), cut: LONGEST_SHOWN });
    if (child.pid !== undefined) this.#release = holdGroup(child.pid, (pid) => endGroup(pid, 'SIGKILL'));
  }

  /** Ends it at once, with everything that it has started. */
  kill(): void {
    endGroup(this.child.pid, 'SIGKILL');
  }

  /**
   * Asks it to end, waits, and ends what has not ended then.
   *
   * @param graceMs how long it may take
   */
  async end(graceMs: number): Promise<void> {
    const { pid, stdin, stdout, stderr } = this.child;
    if (pid !== undefined) {
      // The end of its input is how a server over stdio is asked (basic/transports/stdio, shutdown).
      if (stdin) stdin.end();
      else endGroup(pid, 'SIGTERM');
      if (!(await this.#endsWithin(graceMs))) {
        if (stdin) endGroup(pid, 'SIGTERM');
        if (!stdin || !(await this.#endsWithin(AFTER_TERM_MS))) this.kill();
      }
      this.#release?.();
    }
    // A process that has left the group may hold the other ends open, and this process would wait for it.
    stdout?.destroy();
    stderr?.destroy();
  }

  async #endsWithin(ms: number): Promise<boolean> {
    const deadline = performance.now() + ms;
    while (!this.#isGone()) {
      if (performance.now() >= deadline) return false;
      await pause(LOOK_EVERY_MS);
    }
    return true;
  }

  /** A shell may have ended before the server that it started. Windows knows no groups. */
  #isGone(): boolean {
    if (!this.#hasExited || process.platform === 'win32') return this.#hasExited;
    try {
      process.kill(-this.child.pid!, 0);
      return false;
    } catch {
      return true;
    }
  }
}
