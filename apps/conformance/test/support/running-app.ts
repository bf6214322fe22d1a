import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { newerNode } from './referees.js';

const app = join(__dirname, '../..');
export const stdioEntry = join(app, 'dist/stdio.js');

/** What lets models write programs. */
export const PROGRAMS = { PROGRAMS: 'yes' };

/** The built app in a process of its own, as it is run for real. */
export class RunningApp {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /**
   * @param queued whether its tasks are on a queue, which needs a newer Node.js
   * @param programs whether models may write programs
   */
  static async start({ queued = false, programs = false } = {}): Promise<RunningApp> {
    if (!existsSync(join(app, 'mcp.manifest.json')))
      throw new Error('The app is not built: run pnpm build first.');
    const child = spawn(queued ? newerNode() : process.execPath, [join(app, 'dist/main.js')], {
      env: { ...process.env, PORT: '0', TASKS: queued ? 'queue' : '', ...(programs && PROGRAMS) },
      // Its log tells of the failures that tests provoke.
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
      child.once('exit', (code) => reject(new Error(`The app ended with ${code}.`)));
    });
    const url = /http:\S+/.exec(line)![0];
    // The suite wants a name, not an address.
    return new RunningApp(child, url.replace('127.0.0.1', 'localhost'));
  }

  /** Stops it as a service manager does. Resolves with its exit code. */
  stop(): Promise<number | null> {
    return new Promise((resolve) => {
      this.child.once('exit', resolve);
      this.child.kill('SIGTERM');
    });
  }
}
