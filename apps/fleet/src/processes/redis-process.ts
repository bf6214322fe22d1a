import { Child } from './child.js';
import { requireProgram } from './find-program.js';
import { freePort } from './free-port.js';

/** A Redis server on a port of 127.0.0.1. It writes everything to its append-only file (AOF). */
export class RedisProcess {
  #child: Child | undefined;

  private constructor(
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start(folder: string): Promise<RedisProcess> {
    const redis = new RedisProcess(folder, await freePort());
    await redis.launch();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#child!.pid;
  }

  get exited(): Promise<void> {
    return this.#child!.exited;
  }

  /** Starts it again, on its port and with its data. */
  async launch(): Promise<void> {
    const place = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder];
    const keeping = ['--appendonly', 'yes', '--save', ''];
    this.#child = await Child.start(requireProgram('redis-server'), [...place, ...keeping], {
      ready: /Ready to accept connections/,
    });
  }

  /** It goes silent, as when the network loses everything. Its connections stay open. */
  pause(): void {
    this.#child!.signal('SIGSTOP');
  }

  resume(): void {
    this.#child!.signal('SIGCONT');
  }

  async kill(): Promise<void> {
    await this.#child!.end('SIGKILL');
  }

  async stop(): Promise<void> {
    this.resume();
    await this.#child!.end();
  }
}
