import { join } from 'node:path';
import { Child } from './child.js';

/** The compiled replica. This file runs from `src` in tests, and from `dist` otherwise. */
const REPLICA = join(__dirname, '..', '..', 'dist', 'replica.js');

/** One process of the server. */
export class ReplicaProcess {
  #child: Child | undefined;

  private constructor(
    /** `replica-1`, `replica-2`, … */
    readonly name: string,
    readonly port: number,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** @param environment the settings of the replica, as `replica-settings.ts` reads them */
  static async start(name: string, port: number, environment: NodeJS.ProcessEnv): Promise<ReplicaProcess> {
    const replica = new ReplicaProcess(name, port, environment);
    await replica.launch();
    return replica;
  }

  /** The URL of its own endpoint, past the balancer. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
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

  /** Starts it again, on its port. */
  async launch(): Promise<void> {
    this.#child = await Child.start(process.execPath, [REPLICA], {
      env: { ...process.env, ...this.environment, INSTANCE: this.name, PORT: String(this.port) },
      ready: /listening on/,
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
