import type { TaskJob } from '../../../ports/task-runner.js';
import { ownerOf } from '../task-owner.js';
import type { QueueWorker, ServedWork, WorkLease, WorkOutcome } from '../../../ports/task-queue.js';
import {
  openAnswers,
  sealEnding,
  sealMessage,
  sealQuestion,
  UNOPENED,
  type TaskSeal,
  type TaskSeals,
} from './task-seal.js';

/** After how many milliseconds a task that a worker cannot open is handed out again, perhaps to another one. */
const UNREADABLE_MS = 30_000;

/** The worker's side of a sealed queue. */
export class SealedWorker implements QueueWorker {
  constructor(
    private readonly worker: QueueWorker,
    private readonly seals: TaskSeals,
  ) {}

  get serves(): (() => ServedWork) | undefined {
    const { worker } = this;
    return worker.serves && (() => worker.serves!());
  }

  get concurrency(): number {
    return this.worker.concurrency;
  }

  async run(lease: WorkLease): Promise<WorkOutcome> {
    const opened = this.#open(lease);
    // While secrets are replaced, another worker may have the one that this task needs.
    if (!opened) return { is: 'postponed', afterMs: UNREADABLE_MS, statusMessage: UNOPENED };
    return sealOutcome(opened.seal, await this.worker.run(opened.lease));
  }

  #open(lease: WorkLease): { lease: WorkLease; seal: TaskSeal } | undefined {
    const { taskId, origin = taskId } = lease;
    const ofWork = this.seals(origin);
    const job = ofWork.open('job', lease.job);
    if (typeof job !== 'string') return undefined;
    // Not from the row, whose owner may have been changed.
    const seal = this.seals(taskId, ownerOf(JSON.parse(job) as TaskJob));
    const opened = openLease(lease, job, { seal, ofWork });
    return opened && { lease: opened, seal };
  }

  changed(taskId: string): void {
    this.worker.changed(taskId);
  }
}

function openLease(
  lease: WorkLease,
  job: string,
  { seal, ofWork }: { seal: TaskSeal; ofWork: TaskSeal },
): WorkLease | undefined {
  const steps = new Map<string, string | undefined>();
  for (const [key, text] of lease.steps) {
    const result = text === undefined ? undefined : ofWork.open(`step ${key}`, text);
    if (text !== undefined && typeof result !== 'string') return undefined;
    steps.set(key, result as string | undefined);
  }
  const { taskId, origin, attempt, isAfterLoss, lossesAlone, isUnserved, signal } = lease;
  return {
    ...{ taskId, origin, job, attempt, isAfterLoss, lossesAlone, isUnserved, steps, signal },
    answers: openAnswers(seal, lease.answers),
    note: (message) => lease.note(sealMessage(seal, message)),
    beginStep: (key) => lease.beginStep(key),
    endStep: (key, result) => lease.endStep(key, ofWork.seal(`step ${key}`, result)),
  };
}

function sealOutcome(seal: TaskSeal, outcome: WorkOutcome): WorkOutcome {
  if (outcome.is === 'ended') return { ...outcome, ending: sealEnding(seal, outcome.ending) };
  if (outcome.is !== 'asking') return { ...outcome, statusMessage: sealMessage(seal, outcome.statusMessage) };
  const questions = Object.entries(outcome.questions).map(([key, question]) => [
    key,
    sealQuestion(seal, key, question),
  ]);
  return { is: 'asking', questions: Object.fromEntries(questions) };
}
