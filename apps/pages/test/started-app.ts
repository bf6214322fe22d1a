import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The repository's `apps` folder. */
const apps = join(__dirname, '..', '..');

/** The compiled entry point of an app: `pnpm build` comes before the tests. */
export function builtFile(app: string, file: string): string {
  return join(apps, app, 'dist', file);
}

/** A built app in a process of its own, listening on a free port. */
export class StartedApp {
  private constructor(
    readonly process: ChildProcess,
    /** Base URL, from the line it printed when it was ready. */
    readonly url: URL,
    readonly stdout: string[],
    readonly stderr: string[],
  ) {}

  /**
   * @param file as `builtFile` gives it
   * @throws when it ends before it is ready; the error holds what it wrote
   */
  static async start(file: string, environment: Record<string, string> = {}): Promise<StartedApp> {
    const child = spawn(process.execPath, [file], {
      env: { ...process.env, PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stdout = linesOf(child.stdout);
    const stderr = linesOf(child.stderr);
    const url = await new Promise<URL>((resolve, reject) => {
      createInterface(child.stdout).on('line', (line) => {
        const address = /listening on (http:\S+)$/.exec(line)?.[1];
        if (address) resolve(new URL(address));
      });
      child.once('close', (code) => reject(new Error(`ended with ${code}:\n${stderr.join('\n')}`)));
    });
    return new StartedApp(child, url, stdout, stderr);
  }

  /** Sends a signal and waits for the end. Gives the exit code, or the signal that ended it. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) {
      return this.process.exitCode ?? this.process.signalCode;
    }
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
      this.process.once('close', (code, by) => resolve(code ?? by)),
    );
    this.process.kill(signal);
    return ended;
  }
}

function linesOf(stream: NodeJS.ReadableStream): string[] {
  const lines: string[] = [];
  createInterface(stream).on('line', (line) => lines.push(line));
  return lines;
}
