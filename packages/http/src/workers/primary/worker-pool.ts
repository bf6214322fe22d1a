import { randomBytes } from 'node:crypto';
import cluster from 'node:cluster';
import { systemClock, type Clock, type Logger } from '@toolwright/core/ports';
import { watchDescriptors } from '../../node/server-life.js';
import { MachineStores } from './machine-stores.js';
import { WorkerSlot, type SlotPorts } from './worker-slot.js';

export interface WorkerPoolSettings {
  readonly workers: number;
  readonly stopMs: number;
  readonly unresponsiveMs: number;
  readonly logger: Logger;
}

/** The workers of this machine, seen from their primary process. */
export class WorkerPool {
  readonly #slots: readonly WorkerSlot[];
  #stopping: Promise<void> | undefined;
  #unwatch = () => {};
  #alive: NodeJS.Timeout | undefined;
  /** What the workers serve, as the first one says. */
  url: string | undefined;

  constructor(
    private readonly settings: WorkerPoolSettings,
    private readonly clock: Clock = systemClock,
  ) {
    const { workers, logger, unresponsiveMs } = settings;
    const ports: SlotPorts = {
      shared: new MachineStores(workers, clock),
      secret: randomBytes(32).toString('base64'),
      clock,
      logger,
      unresponsiveMs,
      changed: () => this.#tellAll(),
      othersServe: (one) => this.#slots.some((slot) => slot !== one && slot.isServing),
    };
    this.#slots = Array.from({ length: workers }, (_, index) => new WorkerSlot(index + 1, ports));
  }

  /** True when every worker has stopped by itself. */
  get isClean(): boolean {
    return this.#slots.every(({ isClean }) => isClean);
  }

  /** The process ids of the workers that run, in the order of their numbers. */
  get pids(): readonly number[] {
    return this.#slots.flatMap(({ pid }) => pid ?? []);
  }

  /**
   * Starts one worker, and the others when it serves: a problem of the application is reported once.
   *
   * @throws {Error} when a worker ends before it serves
   */
  async start(): Promise<void> {
    cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'pipe', 'ipc'], serialization: 'json' });
    const [first, ...others] = this.#slots;
    const { logger } = this.settings;
    this.#unwatch = watchDescriptors({ clock: this.clock, logger });
    // While no worker runs, this alone keeps the primary process alive until it starts one again.
    this.#alive = setInterval(() => undefined, 2 ** 30);
    try {
      this.url = (await first!.begin()) ?? undefined;
      await Promise.all(others.map((slot) => slot.begin()));
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Lets all workers finish their calls. Resolves when they have ended. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    await Promise.all(this.#slots.map((slot) => slot.stop(this.settings.stopMs)));
    this.#unwatch();
    clearInterval(this.#alive);
  }

  #tellAll(): void {
    const serving = this.#slots.filter(({ isServing }) => isServing).length;
    for (const slot of this.#slots) slot.tell({ wanted: this.#slots.length, serving });
  }
}
