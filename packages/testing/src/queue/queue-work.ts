import type { OwnerClass } from '@toolwright/core/ports';
import type { QueuedTask, QueueWorker } from '@toolwright/queue';

/**
 * After this many lost runs, the next run has its process for itself, because the task may be what ends the
 * processes.
 */
const SUSPECT_LOSSES = 2;

export interface WorkRun {
  readonly abort: AbortController;
  readonly consumer: QueueConsumer;
  readonly isAlone: boolean;
}

/** What is left to do for one task. */
export class Work {
  readonly steps = new Map<string, string | undefined>();
  /** The runs that count since the task began or was answered. */
  attempts = 0;
  wasLost = false;
  /** How many runs were lost in a row, and how many of them had their process for themselves. */
  #losses = 0;
  lossesAlone = 0;
  /** Since when no process serves the work, on the monotonic clock. */
  unservedSince: number | undefined;
  /** When the next run may begin, on the monotonic clock. `undefined`: it runs, or waits for answers. */
  readyAt: number | undefined;
  run: WorkRun | undefined;
  cancelTimer: (() => void) | undefined;

  constructor(
    readonly task: QueuedTask,
    readonly job: string,
  ) {}

  get id(): string {
    return this.task.id;
  }

  get isSuspect(): boolean {
    return this.#losses >= SUSPECT_LOSSES;
  }

  get ownerClass(): OwnerClass {
    const { owner } = this.task;
    if (owner === '') return 'anonymous';
    // The owner of what a package runs is the plural of its noun.
    return owner.startsWith('[') ? 'principal' : (owner.replace(/s$/, '') as OwnerClass);
  }

  isReady(now: number): boolean {
    return this.readyAt !== undefined && this.readyAt <= now;
  }

  /** The run was lost. */
  lose({ isAlone }: WorkRun): void {
    this.#losses += 1;
    if (isAlone) this.lossesAlone += 1;
  }

  /** The run was not lost with its process, so earlier losses no longer count. */
  settle(): void {
    this.wasLost = false;
    this.#losses = this.lossesAlone = 0;
  }

  /** Ends what the work waits for, and the run that it has. @param reason what the run hears */
  stop(reason?: string): void {
    this.cancelTimer?.();
    const { run } = this;
    this.cancelTimer = this.run = this.readyAt = undefined;
    if (reason !== undefined) run?.abort.abort(new DOMException(reason, 'AbortError'));
  }
}

/** The worker of one process, and the runs that it holds. */
export class QueueConsumer {
  readonly held = new Set<Promise<void>>();
  isOpen = true;
  /**
   * The work for which this process is reserved. It begins when no other work runs, and no other work begins before
   * it ends.
   */
  reserved: Work | undefined;

  constructor(readonly worker: QueueWorker) {}

  get room(): number {
    return this.worker.concurrency - this.held.size;
  }

  serves({ task: { work: kind } }: Work): boolean {
    if (kind === undefined || !this.worker.serves) return true;
    const ofAnyDigest = `${kind.slice(0, kind.lastIndexOf(' '))} *`;
    return this.worker.serves().kinds.some((served) => served === kind || served === ofAnyDigest);
  }

  /** Whether it ends work that no process has served for so long, in milliseconds. */
  ends({ task }: Work, waitedMs: number): boolean {
    const { prefix, unservedMs } = this.worker.serves!();
    return task.work!.startsWith(prefix) && waitedMs >= unservedMs;
  }
}
