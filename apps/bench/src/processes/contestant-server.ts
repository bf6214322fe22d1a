import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Contestant } from '../contestants/catalogue.js';
import type { Report } from '../contestants/contestant-process.js';
import type { Drive } from '../contestants/drive.js';
import type { Settings } from '../contestants/settings.js';
import { appFolder } from '../folders.js';
import { pinned, type Cores } from './cores.js';

/** Where contestants run. */
export interface Place {
  /** Path of the Node.js binary. */
  node: string;
  cores: Cores;
  /** Folder of a built bench whose contestants run; default: this one. */
  app?: string;
  /** Options of Node.js. */
  flags?: readonly string[];
}

type Of<Kind extends Report['kind']> = Extract<Report, { kind: Kind }>;

const READY_WITHIN = 60_000;
const STDERR_KEPT = 2_000;

/** A contestant in its own process. Whoever starts one stops it, whatever happens in between. */
export class ContestantServer {
  private complaints = '';

  private constructor(
    readonly contestant: Contestant,
    readonly settings: Settings,
    private readonly child: ChildProcess,
  ) {
    child.stderr?.on('data', (chunk: Buffer) => {
      this.complaints = (this.complaints + chunk.toString()).slice(-STDERR_KEPT);
    });
  }

  /** Spawns the process without waiting for it: a cold start is measured from here. */
  static spawn(contestant: Contestant, settings: Settings, place: Place): ContestantServer {
    const { node, cores, app = appFolder, flags = [] } = place;
    const module = join(app, 'dist', 'contestants', `${contestant.name}.js`);
    const program = [node, '--expose-gc', ...flags, module, JSON.stringify(settings)];
    const [command, ...args] = pinned(cores.server, program);
    const pipes = settings.transport === 'stdio' ? 'pipe' : 'ignore';
    const child = spawn(command!, args, {
      stdio: [pipes, pipes, 'pipe', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    return new ContestantServer(contestant, settings, child);
  }

  /** Resolves with the port the contestant listens on. */
  async ready(): Promise<number> {
    const { port } = await this.next<Of<'ready'>>();
    return port;
  }

  /** CPU time of the process until now, in microseconds. */
  async cpu(): Promise<number> {
    this.child.send('cpu');
    return (await this.next<Of<'cpu'>>()).cpu;
  }

  /** Memory of the process now, in bytes. */
  memory(): Promise<Of<'memory'>> {
    this.child.send('memory');
    return this.next<Of<'memory'>>();
  }

  /** Lets a contestant without a port ask itself. */
  drive(job: Drive): Promise<Of<'driven'>> {
    this.child.send(job);
    return this.next<Of<'driven'>>();
  }

  /** The two ends of a stdio contestant. */
  get pipes() {
    return { input: this.child.stdin!, output: this.child.stdout! };
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    // Node.js writes its compile cache when a process ends by itself.
    if (process.env['NODE_COMPILE_CACHE']) this.child.disconnect();
    else this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  private async next<T>(): Promise<T> {
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(READY_WITHIN)]);
    try {
      const exited = once(this.child, 'exit', { signal }).then(([code]) => {
        throw new Error(`${this.contestant.name} ended with code ${code}: ${this.complaints}`);
      });
      const [message] = await Promise.race([once(this.child, 'message', { signal }), exited]);
      return message as T;
    } finally {
      ended.abort();
    }
  }
}
