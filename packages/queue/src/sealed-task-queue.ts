import type { QueueTick, TaskJob, TaskServer, TickOutcome } from '@toolwright/core/extend';
import type {
  NewTask,
  QueueLoad,
  TaskAdmin,
  TaskEnding,
  TaskPage,
  TaskQuestion,
  TaskRecord,
  TaskStore,
} from '@toolwright/core/ports';
import type { QueuePort, QueuedTask, QueueWorker, ServedWork, WorkLease, WorkOutcome } from './queue-port.js';
import {
  type TaskSeal,
  type TaskSeals,
  UNOPENED,
  openAnswers,
  openMessage,
  openTaskRecord,
  sealEnding,
  sealMessage,
  sealQuestion,
} from './task-seal.js';

/**
 * A queue whose engine sees only sealed texts, where a task may hold what is marked sensitive: its job, its
 * steps, questions, answers, results, errors and status messages. So nobody who can write to the database can put a
 * text before a model. What an operator needs stays readable: the tool, the owner, the status, the codes of errors, the
 * keys of questions and steps, and the times.
 */
export class SealedTaskQueue implements TaskStore {
  constructor(
    private readonly queue: QueuePort,
    private readonly seals: TaskSeals,
    private readonly ownerOf: TaskServer['ownerOf'],
  ) {}

  async enqueue(task: QueuedTask, job: string): Promise<TaskRecord | undefined> {
    return this.queue.enqueue(task, this.seals(task.id).seal('job', job));
  }

  async enqueueTick(tick: QueueTick, task: QueuedTask, job: string): Promise<TickOutcome> {
    return this.queue.enqueueTick!(tick, task, this.seals(task.id).seal('job', job));
  }

  async work(worker: QueueWorker): Promise<void> {
    await this.queue.work(new SealedWorker(worker, this.seals, this.ownerOf));
  }

  drain(graceMs: number): Promise<boolean> {
    return this.queue.drain(graceMs);
  }

  async load(): Promise<QueueLoad> {
    return this.queue.load();
  }

  async create(task: NewTask): Promise<TaskRecord | undefined> {
    return this.queue.create(task);
  }

  async get(id: string): Promise<TaskRecord | undefined> {
    const record = await this.queue.get(id);
    return record && this.#open(record);
  }

  get list(): ((owner: string, cursor?: string) => Promise<TaskPage | undefined>) | undefined {
    const { queue } = this;
    if (!queue.list) return undefined;
    return async (owner, cursor) => {
      const page = await queue.list!(owner, cursor);
      return page && { ...page, tasks: page.tasks.map((record) => this.#open(record)) };
    };
  }

  /** An operator who asks this server reads the status messages. */
  get admin(): ((by: string) => TaskAdmin) | undefined {
    const { queue } = this;
    if (!queue.admin) return undefined;
    return (by) => {
      const admin = queue.admin!(by);
      return {
        list: async (limit) => (await admin.list(limit)).map((task) => ({ ...task, ...this.#message(task) })),
        ...(admin.cancel && { cancel: (id) => admin.cancel!(id) }),
        ...(admin.retry && { retry: (id) => admin.retry!(id) }),
      };
    };
  }

  note(id: string, statusMessage: string): Promise<boolean> {
    return this.#withSeal(id, (seal) => this.queue.note(id, sealMessage(seal, statusMessage)));
  }

  ask(id: string, key: string, question: TaskQuestion): Promise<boolean> {
    return this.#withSeal(id, (seal) => this.queue.ask(id, key, sealQuestion(seal, key, question)));
  }

  answer(id: string, answers: Readonly<Record<string, unknown>>): Promise<boolean> {
    return this.#withSeal(id, (seal) => {
      const sealed = Object.entries(answers).map(([key, value]) => [key, seal.seal(`answer ${key}`, value)]);
      return this.queue.answer(id, Object.fromEntries(sealed));
    });
  }

  async end(id: string, ending: TaskEnding): Promise<boolean> {
    if (ending.status === 'cancelled') return this.queue.end(id, ending);
    return this.#withSeal(id, (seal) => this.queue.end(id, sealEnding(seal, ending)));
  }

  /** @returns false when there is no such task */
  async #withSeal(id: string, act: (seal: TaskSeal) => boolean | Promise<boolean>): Promise<boolean> {
    const record = await this.queue.get(id);
    return record !== undefined && act(this.seals(id, record.owner));
  }

  #open(record: TaskRecord): TaskRecord {
    return openTaskRecord(record, this.seals);
  }

  #message({ id, owner, statusMessage }: { id: string; owner: string; statusMessage?: string }): {
    statusMessage?: string;
  } {
    if (statusMessage === undefined) return {};
    return { statusMessage: openMessage(this.seals(id, owner), statusMessage) };
  }
}

/** After how many milliseconds a task that a worker cannot open is handed out again, perhaps to another one. */
const UNREADABLE_MS = 30_000;

/** The worker's side of a sealed queue. */
class SealedWorker implements QueueWorker {
  constructor(
    private readonly worker: QueueWorker,
    private readonly seals: TaskSeals,
    private readonly ownerOf: TaskServer['ownerOf'],
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
    const text = ofWork.open('job', lease.job);
    if (typeof text !== 'string') return undefined;
    const job = JSON.parse(text) as TaskJob;
    // Not from the row, whose owner may have been changed.
    const seal = this.seals(taskId, this.ownerOf(job));
    const opened = openLease(lease, text, { seal, ofWork });
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
    taskId,
    origin,
    job,
    attempt,
    isAfterLoss,
    lossesAlone,
    isUnserved,
    steps,
    signal,
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
