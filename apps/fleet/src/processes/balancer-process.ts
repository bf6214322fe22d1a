import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { balancerConfig, type BalancerPlan } from './balancer-config.js';
import { Child } from './child.js';
import { requireProgram } from './find-program.js';

/** HAProxy in front of the replicas. */
export class BalancerProcess {
  #child: Child | undefined;

  private constructor(
    private readonly file: string,
    readonly port: number,
  ) {}

  /** @param folder gets the configuration */
  static async start(folder: string, plan: BalancerPlan): Promise<BalancerProcess> {
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, balancerConfig(plan));
    const balancer = new BalancerProcess(file, plan.port);
    await balancer.launch();
    return balancer;
  }

  /** The endpoint of the fleet. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  get pid(): number {
    return this.#child!.pid;
  }

  get exited(): Promise<void> {
    return this.#child!.exited;
  }

  /** Starts it again, on its port. */
  async launch(): Promise<void> {
    // In the foreground, as one process.
    this.#child = await Child.start(requireProgram('haproxy'), ['-db', '-V', '-f', this.file], {
      ready: /Using .* as the polling mechanism/,
    });
    await this.#answers(this.#child);
  }

  async stop(): Promise<void> {
    // HAProxy waits for open streams on SIGUSR1. On SIGTERM it ends at once.
    await this.#child!.end('SIGTERM');
  }

  /** HAProxy says that it runs a moment before it listens. */
  async #answers(child: Child): Promise<void> {
    for (;;) {
      if (await canConnect(this.port)) return;
      if (!child.isAlive) throw new Error(`haproxy ended:\n${child.output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
