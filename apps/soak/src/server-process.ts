import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Order, ServerSettings, Usage } from './soaked-server.js';

const PATIENCE_MS = 120_000;

/** A server in a process of its own, on a port of 127.0.0.1. Whoever starts one stops it. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    /** Resolves with the exit code; null when a signal ended it. */
    readonly exited: Promise<number | null>,
  ) {}

  static async start(settings: ServerSettings = {}): Promise<ServerProcess> {
    const child = fork(join(__dirname, 'soaked-server.js'), [JSON.stringify(settings)], {
      execArgv: ['--expose-gc'],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    const exited = once(child, 'exit').then(([code]) => code as number | null);
    const ready = once(child, 'message').then(([message]) => (message as { port: number }).port);
    const port = await Promise.race([ready, exited]);
    if (!child.connected || port === null) throw new Error('The server did not start.');
    return new ServerProcess(child, port, exited);
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  usage(): Promise<Usage> {
    return this.ask('usage');
  }

  /** After a garbage collection, which holds the server up. */
  usageCollected(): Promise<Usage> {
    return this.ask('collect');
  }

  private async ask(order: Order): Promise<Usage> {
    const answer = once(this.child, 'message');
    this.order(order);
    return (await answer)[0] as Usage;
  }

  order(order: Order): void {
    this.child.send(order);
  }

  terminate(): void {
    this.child.kill('SIGTERM');
  }

  /**
   * Asks until the server says that it is so.
   * @throws {Error} when it never does
   */
  async until(holds: (usage: Usage) => boolean): Promise<Usage> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (performance.now() < giveUpAt) {
      const usage = await this.usage();
      if (holds(usage)) return usage;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error('The server did not come to where it should be.');
  }

  async stop(): Promise<void> {
    if (this.alive) this.child.kill('SIGKILL');
    await this.exited;
  }
}
