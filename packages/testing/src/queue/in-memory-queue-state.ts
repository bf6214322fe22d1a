import type { QueuedTask, QueueWorker, WorkLease, WorkOutcome } from '@toolwright/queue';
import {
  type Clock,
  type MemoryTaskStore,
  monotonic,
  type QueueDepth,
  type QueueLoad,
} from '@toolwright/core/ports';
import { QueueConsumer, type WorkRun, Work } from './queue-work.js';
import { FairTurns } from './fair-turns.js';

/**
 * How often the queue looks again for a process that serves waiting work, in milliseconds. A server may change while
 * it runs.
 */
const LOOK_MS = 1_000;

/** The work of all tasks of a `MemoryTaskQueue`: which process runs what, and what comes next. */
export class InMemoryQueueState {
  readonly #works = new Map<string, Work>();
  readonly #consumers = new Set<QueueConsumer>();
  readonly #dead = new Set<string>();
  readonly #ownersTurns = new FairTurns<Work>(({ task }) => task.owner);
  readonly #partiesTurns = new FairTurns<Work>(({ task }) => task.party ?? task.owner);
  #isDue = false;
  #willLook = false;

  constructor(
    private readonly clock: Clock,
    private readonly records: MemoryTaskStore,
  ) {}

  add(task: QueuedTask, job: string): void {
    const work = new Work(task, job);
    this.#works.set(task.id, work);
    this.#handOut(work, 0);
  }

  join(worker: QueueWorker): QueueConsumer {
    const consumer = new QueueConsumer(worker);
    this.#consumers.add(consumer);
    this.#dispatch();
    return consumer;
  }

  /** Hands the work out again, because the task was answered. */
  resume(taskId: string): void {
    const work = this.#works.get(taskId);
    if (!work || work.run || work.readyAt !== undefined) return;
    work.attempts = 0;
    work.settle();
    this.#handOut(work, 0);
  }

  /** Takes back all work of a task. */
  withdraw(taskId: string): void {
    const work = this.#works.get(taskId);
    if (!work) return;
    this.#works.delete(taskId);
    work.stop('The task has ended.');
  }

  /** Treats the run of a task as lost. */
  lose(taskId: string): boolean {
    const work = this.#works.get(taskId);
    if (!work?.run) return false;
    work.lose(work.run);
    this.#giveUp(work);
    return true;
  }

  /** Gives back the runs that a process still holds. Its end says nothing about them. */
  giveBack(consumer: QueueConsumer): void {
    for (const work of [...this.#works.values()]) if (work.run?.consumer === consumer) this.#giveUp(work);
  }

  #giveUp(work: Work): void {
    work.stop('The run was lost.');
    work.wasLost = true;
    this.#handOut(work, 0);
  }

  load(): QueueLoad {
    const now = monotonic(this.clock);
    const works = [...this.#works.values()].filter(({ id }) => this.records.get(id));
    const ready = works.filter((work) => work.isReady(now));
    const due = ready.map(({ readyAt }) => readyAt!);
    const depth = new Map<string, QueueDepth>();
    for (const { task, ownerClass } of ready) {
      const key = `${ownerClass} ${task.tool}`;
      depth.set(key, { tool: task.tool, ownerClass, waiting: (depth.get(key)?.waiting ?? 0) + 1 });
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
    work.readyAt = monotonic(this.clock) + afterMs;
    if (afterMs <= 0) return this.#dispatch();
    work.cancelTimer = this.clock.after(afterMs, () => {
      // Timers of the machine may fire a little early.
      work.readyAt = monotonic(this.clock);
      this.#dispatch();
    });
  }

  /** Runs begin in a later microtask, so that the caller that changed the queue gets its answer first. */
  #dispatch(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#beginAll();
    });
  }

  #beginAll(): void {
    for (const consumer of this.#consumers)
      if (consumer.reserved && !this.#works.has(consumer.reserved.id)) consumer.reserved = undefined;
    for (const work of this.#inTurns()) {
      if (!this.records.get(work.id)) this.withdraw(work.id);
      else if (this.#canBegin()) this.#beginWhere(work);
    }
  }

  /** Whether some process has room. */
  #canBegin(): boolean {
    return [...this.#consumers].some(({ isOpen, room }) => isOpen && room > 0);
  }

  /** What may begin now, one of each party in turn, and within each party one of each owner. */
  #inTurns(): Work[] {
    const now = monotonic(this.clock);
    const ready = [...this.#works.values()].filter((work) => work.isReady(now));
    return this.#partiesTurns.inTurns(this.#ownersTurns.inTurns(ready));
  }

  #beginWhere(work: Work): void {
    const open = [...this.#consumers].filter(({ isOpen }) => isOpen);
    const serving = open.filter((consumer) => consumer.serves(work));
    if (serving.length === 0) return this.#wait(work, open);
    work.unservedSince = undefined;
    if (work.isSuspect) return this.#beginAlone(work, serving);
    const consumer = freest(serving.filter(({ reserved }) => !reserved));
    if (consumer && consumer.room > 0) this.#begin(work, { consumer });
  }

  /** A process takes nothing more until this is all that it has to do. */
  #beginAlone(work: Work, serving: readonly QueueConsumer[]): void {
    let consumer = serving.find(({ reserved }) => reserved === work);
    if (!consumer) {
      consumer = freest(serving.filter(({ reserved }) => !reserved));
      if (!consumer) return;
      consumer.reserved = work;
    }
    // A run that was lost and does not end must not keep the process for ever.
    const isFree = ![...this.#works.values()].some(({ run }) => run?.consumer === consumer);
    if (isFree) this.#begin(work, { consumer, isAlone: true });
  }

  /** No process serves the work. When it has waited for long enough, a process of its server gets it and ends it. */
  #wait(work: Work, open: readonly QueueConsumer[]): void {
    const now = monotonic(this.clock);
    work.unservedSince ??= now;
    const waited = now - work.unservedSince;
    const consumer = freest(open.filter((each) => !each.reserved && each.ends(work, waited)));
    if (consumer && consumer.room > 0) return this.#begin(work, { consumer, isUnserved: true });
    if (this.#willLook) return;
    this.#willLook = true;
    this.clock.after(LOOK_MS, () => {
      this.#willLook = false;
      this.#dispatch();
    });
  }

  #begin(work: Work, { consumer, isAlone = false, isUnserved = false }: Beginning): void {
    this.#ownersTurns.end(work);
    this.#partiesTurns.end(work);
    const run: WorkRun = { abort: new AbortController(), consumer, isAlone };
    work.cancelTimer?.();
    work.readyAt = undefined;
    work.attempts++;
    work.run = run;
    work.cancelTimer = this.clock.after(this.records.left(work.id), () => this.withdraw(work.id));
    const lease = { ...this.#lease(work, run), isUnserved };
    const held = this.#finish(work, run, lease).finally(() => {
      consumer.held.delete(held);
      if (consumer.reserved === work && work.run !== run) consumer.reserved = undefined;
    });
    consumer.held.add(held);
  }

  async #finish(work: Work, run: WorkRun, lease: WorkLease): Promise<void> {
    const { worker } = run.consumer;
    const outcome = await worker.run(lease);
    if (this.#holds(work, run)) this.#apply(work, outcome);
    worker.changed(work.id);
    // This run still counts as held.
    queueMicrotask(() => this.#dispatch());
  }

  #apply(work: Work, outcome: WorkOutcome): void {
    const { id: taskId } = work;
    work.stop();
    switch (outcome.is) {
      case 'ended':
        this.#works.delete(taskId);
        if (this.records.end(taskId, outcome.ending) && outcome.isDead) this.#dead.add(taskId);
        return;
      case 'asking':
        work.settle();
        for (const [key, question] of Object.entries(outcome.questions))
          this.records.ask(taskId, key, question);
        return;
      case 'retrying':
      case 'postponed':
        if (outcome.is === 'postponed') work.attempts--;
        else work.settle();
        this.records.note(taskId, outcome.statusMessage);
        this.#handOut(work, outcome.afterMs);
    }
  }

  /** True as long as this run may change the task. */
  #holds(work: Work, run: WorkRun): boolean {
    const record = this.records.get(work.id);
    return work.run === run && record !== undefined && !record.ending;
  }

  #lease(work: Work, run: WorkRun): WorkLease {
    const { id: taskId, job, steps, attempts, wasLost, lossesAlone } = work;
    const step = (key: string, result: string | undefined) => {
      if (!this.#holds(work, run)) return false;
      steps.set(key, result);
      return true;
    };
    return {
      taskId,
      job,
      attempt: attempts,
      isAfterLoss: wasLost,
      lossesAlone,
      steps: new Map(steps),
      answers: this.records.get(taskId)!.answers,
      signal: run.abort.signal,
      note: (message) => this.#holds(work, run) && this.records.note(taskId, message),
      beginStep: (key) => step(key, undefined),
      endStep: (key, result) => step(key, result),
    };
  }
}

interface Beginning {
  readonly consumer: QueueConsumer;
  readonly isAlone?: boolean;
  readonly isUnserved?: boolean;
}

function freest(consumers: readonly QueueConsumer[]): QueueConsumer | undefined {
  return [...consumers].sort((a, b) => b.room - a.room)[0];
}
