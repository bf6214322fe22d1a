import { randomUUID } from 'node:crypto';
import type { WorkOutcome } from '@toolwright/queue';
import type { Query } from '@toolwright/postgres/database';
import type { JobEngine } from '../engine/job-engine.js';
import type { TakenRun, TaskRuns } from '../records/task-runs.js';

/** Stores how runs end: what the record says, and what is handed out next, in one transaction. */
export class RunOutcomes {
  constructor(
    private readonly runs: TaskRuns,
    private readonly engine: () => JobEngine,
  ) {}

  /** Changes nothing when the run is lost. */
  async store(query: Query, run: TakenRun, outcome: WorkOutcome): Promise<void> {
    const next = randomUUID();
    if (!(await this.#record(query, run, { outcome, next }))) return;
    await this.engine().finish(query, [run]);
    if (outcome.is !== 'retrying' && outcome.is !== 'postponed') return;
    const { taskId, lostAfter } = run;
    await this.engine().send(query, next, { taskId, lostAfter, afterMs: outcome.afterMs });
  }

  /** Gives the run back: another worker has the next one, as after a loss. */
  async giveBack(query: Query, run: TakenRun): Promise<void> {
    const next = randomUUID();
    if (!(await this.runs.giveBack(query, run, next))) return;
    await this.engine().finish(query, [run]);
    const { taskId, lostAfter } = run;
    await this.engine().send(query, next, { taskId, lostAfter });
  }

  #record(
    query: Query,
    run: TakenRun,
    { outcome, next }: { outcome: WorkOutcome; next: string },
  ): Promise<boolean> {
    switch (outcome.is) {
      case 'ended':
        return this.runs.end(query, run, { ending: outcome.ending, isDead: outcome.isDead ?? false });
      case 'asking':
        return this.runs.ask(query, run, outcome.questions);
      case 'retrying':
        return this.runs.retry(query, run, { jobId: next, statusMessage: outcome.statusMessage });
      case 'postponed': {
        const { statusMessage } = outcome;
        return this.runs.postpone(query, run, { jobId: next, statusMessage, isAfterLoss: run.isAfterLoss });
      }
    }
  }
}
