import type { Clock } from './clock.js';
import type { MemoryTaskStore } from './memory-task-store.js';
import {
  ownerClassOf,
  type QueueDepth,
  type QueuedTask,
  type QueueLoad,
  type QueueWorker,
  type WorkLease,
  type WorkOutcome,
} from './task-queue.js';

/** What is left to do for one task. */
interface Work {
  readonly taskId: string;
  readonly tool: string;
  readonly owner: string;
  readonly job: string;
  readonly steps: Map<string, string | undefined>;
  /** The runs that count since the task began or was answered. */
  attempts: number;
  wasLost: boolean;
  /** When the next run may begin, in milliseconds since the epoch. `undefined`: it runs, or waits for answers. */
  readyAt: number | undefined;
  run: Run | undefined;
  cancelTimer: (() => void) | undefined;
}

interface Run {
  readonly abort: AbortController;
  readonly hand: Hand;
}

/** The worker of one process, and the runs that it holds. */
export interface Hand {
  readonly worker: QueueWorker;
  readonly held: Set<Promise<void>>;
  isOpen: boolean;
}

/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The work of all tasks of a `MemoryTaskQueue`: who runs what, and what is next. */
export class TaskLedger {
  readonly #works = new Map<string, Work>();
  readonly #hands = new Set<Hand>();
  readonly #dead = new Set<string>();
  #isDue = false;

  constructor(
    private readonly clock: Clock,
    private readonly records: MemoryTaskStore,
  ) {}

  add({ id: taskId, tool, owner }: QueuedTask, job: string): void {
    const work: Work = {
      ...{ taskId, tool, owner, job, steps: new Map(), attempts: 0, wasLost: false },
      ...{ readyAt: undefined, run: undefined, cancelTimer: undefined },
    };
    this.#works.set(taskId, work);
    this.#handOut(work, 0);
  }

  join(worker: QueueWorker): Hand {
    const hand: Hand = { worker, held: new Set(), isOpen: true };
    this.#hands.add(hand);
    this.#dispatch();
    return hand;
  }

  /** Hands the work out again, because the task was answered. */
  resume(taskId: string): void {
    const work = this.#works.get(taskId);
    if (!work || work.run || work.readyAt !== undefined) return;
    work.attempts = 0;
    work.wasLost = false;
    this.#handOut(work, 0);
  }

  /** Takes back all work of a task. */
  withdraw(taskId: string): void {
    const work = this.#works.get(taskId);
    if (!work) return;
    this.#works.delete(taskId);
    this.#stop(work, 'The task has ended.');
  }

  /** Treats the run of a task as lost. */
  lose(taskId: string): boolean {
    const work = this.#works.get(taskId);
    if (!work?.run) return false;
    this.#stop(work, 'The run was lost.');
    work.wasLost = true;
    this.#handOut(work, 0);
    return true;
  }

  /** Gives back the runs that a process still holds. */
  giveBack(hand: Hand): void {
    for (const { run, taskId } of [...this.#works.values()]) if (run?.hand === hand) this.lose(taskId);
  }

  load(): QueueLoad {
    const now = this.clock.now();
    const works = [...this.#works.values()].filter(({ taskId }) => this.records.get(taskId));
    const ready = works.filter(({ readyAt }) => readyAt !== undefined && readyAt <= now);
    const due = ready.map(({ readyAt }) => readyAt!);
    const depth = new Map<string, QueueDepth>();
    for (const { tool, owner } of ready) {
      const ownerClass = ownerClassOf(owner);
      const waiting = (depth.get(`${ownerClass} ${tool}`)?.waiting ?? 0) + 1;
      depth.set(`${ownerClass} ${tool}`, { tool, ownerClass, waiting });
    }
    for (const id of this.#dead) if (!this.records.get(id)) this.#dead.delete(id);
    return {
      waiting: due.length,
      oldestMs: due.length === 0 ? 0 : now - Math.min(...due),
      running: works.filter(({ run }) => run).length,
      dead: this.#dead.size,
      depth: [...depth.values()],
    };
  }

  #handOut(work: Work, afterMs: number): void {
    work.readyAt = this.clock.now() + afterMs;
    if (afterMs <= 0) return this.#dispatch();
    work.cancelTimer = this.clock.after(Math.min(afterMs, MAX_TIMER_MS), () => {
      // Timers of the machine may fire a little early.
      work.readyAt = this.clock.now();
      this.#dispatch();
    });
  }

  /** Runs begin in a turn of their own: whoever changed the queue first hears that it has changed. */
  #dispatch(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      for (const work of [...this.#works.values()]) this.#begin(work);
    });
  }

  #begin(work: Work): void {
    const { taskId, readyAt } = work;
    if (readyAt === undefined || readyAt > this.clock.now()) return;
    const record = this.records.get(taskId);
    if (!record) return this.withdraw(taskId);
    const hand = this.#freeHand();
    if (!hand) return;
    const run: Run = { abort: new AbortController(), hand };
    work.cancelTimer?.();
    work.readyAt = undefined;
    work.attempts++;
    work.run = run;
    const left = record.ttlMs === null ? undefined : record.createdAt + record.ttlMs - this.clock.now();
    work.cancelTimer =
      left === undefined || left > MAX_TIMER_MS
        ? undefined
        : this.clock.after(left, () => this.withdraw(taskId));
    const held = this.#finish(work, run, this.#lease(work, run)).finally(() => hand.held.delete(held));
    hand.held.add(held);
  }

  #freeHand(): Hand | undefined {
    const room = ({ worker, held }: Hand) => worker.concurrency - held.size;
    const [freest] = [...this.#hands].filter(({ isOpen }) => isOpen).sort((a, b) => room(b) - room(a));
    return freest && room(freest) > 0 ? freest : undefined;
  }

  async #finish(work: Work, run: Run, lease: WorkLease): Promise<void> {
    const { worker } = run.hand;
    const outcome = await worker.run(lease);
    if (this.#holds(work, run)) this.#apply(work, outcome);
    worker.changed(work.taskId);
    // This run still counts as held.
    queueMicrotask(() => this.#dispatch());
  }

  #apply(work: Work, outcome: WorkOutcome): void {
    const { taskId } = work;
    this.#stop(work);
    switch (outcome.is) {
      case 'ended':
        this.#works.delete(taskId);
        if (this.records.end(taskId, outcome.ending) && outcome.isDead) this.#dead.add(taskId);
        return;
      case 'asking':
        for (const [key, question] of Object.entries(outcome.questions))
          this.records.ask(taskId, key, question);
        return;
      case 'retrying':
      case 'postponed':
        if (outcome.is === 'postponed') work.attempts--;
        else work.wasLost = false;
        this.records.note(taskId, outcome.statusMessage);
        this.#handOut(work, outcome.afterMs);
    }
  }

  /** True as long as this run may change the task. */
  #holds(work: Work, run: Run): boolean {
    const record = this.records.get(work.taskId);
    return work.run === run && record !== undefined && !record.ending;
  }

  #stop(work: Work, reason?: string): void {
    work.cancelTimer?.();
    work.cancelTimer = undefined;
    const { run } = work;
    work.run = undefined;
    work.readyAt = undefined;
    if (reason !== undefined) run?.abort.abort(new DOMException(reason, 'AbortError'));
  }

  #lease(work: Work, run: Run): WorkLease {
    const { taskId, job, steps, attempts, wasLost } = work;
    const step = (key: string, result: string | undefined) => {
      if (!this.#holds(work, run)) return false;
      steps.set(key, result);
      return true;
    };
    return {
      ...{ taskId, job, attempt: attempts, isAfterLoss: wasLost, steps: new Map(steps) },
      answers: this.records.get(taskId)!.answers,
      signal: run.abort.signal,
      note: (message) => this.#holds(work, run) && this.records.note(taskId, message),
      beginStep: (key) => step(key, undefined),
      endStep: (key, result) => step(key, result),
    };
  }
}
