import type { WorkLease } from '@toolwright/queue';
import type { Query } from '@toolwright/postgres/database';
import type { TakenRun, TaskRuns } from '../records/task-runs.js';

/** A run that this process is at work on. */
export class HeldRun implements WorkLease {
  readonly taskId: string;
  readonly origin: string | undefined;
  readonly job: string;
  readonly attempt: number;
  readonly isAfterLoss: boolean;
  readonly lossesAlone: number;
  readonly isUnserved: boolean;
  /** When this process last wrote to the database that it works on the run, in milliseconds. */
  heardAt: number;
  readonly steps: ReadonlyMap<string, string | undefined>;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly #abort = new AbortController();
  readonly signal: AbortSignal = this.#abort.signal;
  /** Resolves when this process has nothing to do with the run any more. */
  over: Promise<void> = Promise.resolve();

  constructor(
    readonly taken: TakenRun,
    { heardAt, isUnserved }: { heardAt: number; isUnserved: boolean },
    private readonly store: { readonly runs: TaskRuns; readonly query: Query },
  ) {
    this.heardAt = heardAt;
    this.isUnserved = isUnserved;
    this.taskId = taken.taskId;
    this.origin = taken.origin;
    this.job = taken.job;
    this.attempt = taken.attempt;
    this.isAfterLoss = taken.isAfterLoss;
    this.lossesAlone = taken.lossesAlone;
    this.steps = taken.steps;
    this.answers = taken.answers;
  }

  note(statusMessage: string): Promise<boolean> {
    const { runs, query } = this.store;
    return this.#held(runs.note(query, this.taken, statusMessage));
  }

  beginStep(key: string): Promise<boolean> {
    const { runs, query } = this.store;
    return this.#held(runs.beginStep(query, this.taken, key));
  }

  endStep(key: string, result: string): Promise<boolean> {
    const { runs, query } = this.store;
    return this.#held(runs.endStep(query, this.taken, key, result));
  }

  /** The run is lost, or its task has ended. */
  stop(): void {
    this.#abort.abort();
  }

  async #held(answer: Promise<boolean>): Promise<boolean> {
    const isHeld = await answer;
    if (!isHeld) this.stop();
    return isHeld;
  }
}
