import type { QueuedTask, QueueWorker, WorkLease, WorkOutcome } from '@toolwright/queue';
import {
  type Clock,
  type MemoryTaskStore,
  monotonic,
  type OwnerClass,
  type QueueDepth,
  type QueueLoad,
} from '@toolwright/core/ports';
import { getOrMake } from '@toolwright/json';

/** What is left to do for one task. */
interface Work {
  readonly taskId: string;
  readonly tool: string;
  readonly owner: string;
  readonly party: string;
  /** What a worker must serve. `undefined`: any worker will do. */
  readonly kind: string | undefined;
  readonly job: string;
  readonly steps: Map<string, string | undefined>;
  /** The runs that count since the task began or was answered. */
  attempts: number;
  wasLost: boolean;
  /** How many runs were lost in a row, and how many of them had their process for themselves. */
  losses: number;
  lossesAlone: number;
  /** Since when no process serves the work, on the monotonic clock. */
  unservedSince: number | undefined;
  /** When the next run may begin, on the monotonic clock. `undefined`: it runs, or waits for answers. */
  readyAt: number | undefined;
  run: Run | undefined;
  cancelTimer: (() => void) | undefined;
}

interface Run {
  readonly abort: AbortController;
  readonly consumer: QueueConsumer;
  readonly isAlone: boolean;
}

/** The worker of one process, and the runs that it holds. */
export interface QueueConsumer {
  readonly worker: QueueWorker;
  readonly held: Set<Promise<void>>;
  isOpen: boolean;
  /**
   * The work for which this process is reserved. It begins when no other work runs, and no other work begins before
   * it ends.
   */
  reserved: Work | undefined;
}

/**
 * How often the queue looks again for a process that serves waiting work, in milliseconds. A server may change while
 * it runs.
 */
const LOOK_MS = 1_000;
/**
 * After this many lost runs, the next run has its process for itself, because the task may be what ends the
 * processes.
 */
const SUSPECT_LOSSES = 2;

/** The work of all tasks of a `MemoryTaskQueue`: which process runs what, and what comes next. */
export class InMemoryQueueState {
  readonly #works = new Map<string, Work>();
  readonly #consumers = new Set<QueueConsumer>();
  readonly #dead = new Set<string>();
  readonly #ownersTurns = new Turns();
  readonly #partiesTurns = new Turns();
  #isDue = false;
  #willLook = false;

  constructor(
    private readonly clock: Clock,
    private readonly records: MemoryTaskStore,
  ) {}

  add({ id: taskId, tool, owner, party = owner, work: kind }: QueuedTask, job: string): void {
    const work: Work = {
      taskId,
      tool,
      owner,
      party,
      kind,
      job,
      steps: new Map(),
      attempts: 0,
      wasLost: false,
      losses: 0,
      lossesAlone: 0,
      unservedSince: undefined,
      readyAt: undefined,
      run: undefined,
      cancelTimer: undefined,
    };
    this.#works.set(taskId, work);
    this.#handOut(work, 0);
  }

  join(worker: QueueWorker): QueueConsumer {
    const consumer: QueueConsumer = { worker, held: new Set(), isOpen: true, reserved: undefined };
    this.#consumers.add(consumer);
    this.#dispatch();
    return consumer;
  }

  /** Hands the work out again, because the task was answered. */
  resume(taskId: string): void {
    const work = this.#works.get(taskId);
    if (!work || work.run || work.readyAt !== undefined) return;
    work.attempts = 0;
    this.#handOut(settled(work), 0);
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
    work.losses += 1;
    if (work.run.isAlone) work.lossesAlone += 1;
    this.#giveUp(work);
    return true;
  }

  /** Gives back the runs that a process still holds. Its end says nothing about them. */
  giveBack(consumer: QueueConsumer): void {
    for (const work of [...this.#works.values()]) if (work.run?.consumer === consumer) this.#giveUp(work);
  }

  #giveUp(work: Work): void {
    this.#stop(work, 'The run was lost.');
    work.wasLost = true;
    this.#handOut(work, 0);
  }

  load(): QueueLoad {
    const now = monotonic(this.clock);
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
      if (consumer.reserved && !this.#works.has(consumer.reserved.taskId)) consumer.reserved = undefined;
    for (const work of this.#inTurns()) {
      if (!this.records.get(work.taskId)) this.withdraw(work.taskId);
      else if (this.#canBegin()) this.#beginWhere(work);
    }
  }

  /** Whether some process has room. */
  #canBegin(): boolean {
    return [...this.#consumers].some((consumer) => consumer.isOpen && roomOf(consumer) > 0);
  }

  /** What may begin now, one of each party in turn, and within each party one of each owner. */
  #inTurns(): Work[] {
    const now = monotonic(this.clock);
    const ready = [...this.#works.values()].filter(({ readyAt }) => readyAt !== undefined && readyAt <= now);
    const ofOwners = this.#ownersTurns.inTurns(ready, ({ owner }) => owner);
    return this.#partiesTurns.inTurns(ofOwners, ({ party }) => party);
  }

  #beginWhere(work: Work): void {
    const open = [...this.#consumers].filter(({ isOpen }) => isOpen);
    const serving = open.filter(({ worker }) => doesServe(worker, work));
    if (serving.length === 0) return this.#wait(work, open);
    work.unservedSince = undefined;
    if (work.losses >= SUSPECT_LOSSES) return this.#beginAlone(work, serving);
    const consumer = freest(serving.filter(({ reserved }) => !reserved));
    if (consumer && roomOf(consumer) > 0) this.#begin(work, { consumer });
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
    const ends = ({ worker }: QueueConsumer) => {
      const served = worker.serves!();
      return work.kind!.startsWith(served.prefix) && waited >= served.unservedMs;
    };
    const consumer = freest(open.filter((consumer) => !consumer.reserved && ends(consumer)));
    if (consumer && roomOf(consumer) > 0) return this.#begin(work, { consumer, isUnserved: true });
    if (this.#willLook) return;
    this.#willLook = true;
    this.clock.after(LOOK_MS, () => {
      this.#willLook = false;
      this.#dispatch();
    });
  }

  #begin(work: Work, { consumer, isAlone = false, isUnserved = false }: Beginning): void {
    const { taskId, owner, party } = work;
    this.#ownersTurns.end(owner);
    this.#partiesTurns.end(party);
    const run: Run = { abort: new AbortController(), consumer, isAlone };
    work.cancelTimer?.();
    work.readyAt = undefined;
    work.attempts++;
    work.run = run;
    work.cancelTimer = this.clock.after(this.records.left(taskId), () => this.withdraw(taskId));
    const lease = { ...this.#lease(work, run), isUnserved };
    const held = this.#finish(work, run, lease).finally(() => {
      consumer.held.delete(held);
      if (consumer.reserved === work && work.run !== run) consumer.reserved = undefined;
    });
    consumer.held.add(held);
  }

  async #finish(work: Work, run: Run, lease: WorkLease): Promise<void> {
    const { worker } = run.consumer;
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
        settled(work);
        for (const [key, question] of Object.entries(outcome.questions))
          this.records.ask(taskId, key, question);
        return;
      case 'retrying':
      case 'postponed':
        if (outcome.is === 'postponed') work.attempts--;
        else settled(work);
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
    const { taskId, job, steps, attempts, wasLost, lossesAlone } = work;
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

const roomOf = ({ worker, held }: QueueConsumer): number => worker.concurrency - held.size;

function freest(consumers: readonly QueueConsumer[]): QueueConsumer | undefined {
  return [...consumers].sort((a, b) => roomOf(b) - roomOf(a))[0];
}

function doesServe(worker: QueueWorker, { kind }: Work): boolean {
  if (kind === undefined || !worker.serves) return true;
  const ofAnyDigest = `${kind.slice(0, kind.lastIndexOf(' '))} *`;
  return worker.serves().kinds.some((served) => served === kind || served === ofAnyDigest);
}

/** The class of the owner of a task. */
function ownerClassOf(owner: string): OwnerClass {
  if (owner === '') return 'anonymous';
  // The owner of what a package runs is the plural of its noun.
  return owner.startsWith('[') ? 'principal' : (owner.replace(/s$/, '') as OwnerClass);
}

/** The run was not lost with its process, so earlier losses no longer count. */
function settled(work: Work): Work {
  work.wasLost = false;
  work.losses = work.lossesAlone = 0;
  return work;
}

/** Whose turn it is: who was served last is at the end. */
class Turns {
  readonly #served = new Set<string>();

  /** This one was served. */
  end(who: string): void {
    this.#served.delete(who);
    this.#served.add(who);
  }

  /** One of each in turn. The work of one keeps its order. */
  inTurns(works: readonly Work[], whoOf: (work: Work) => string): Work[] {
    const lines = new Map<string, Work[]>([...this.#served].map((who) => [who, []]));
    for (const work of works) {
      getOrMake(lines, whoOf(work), () => []).push(work);
    }
    for (const who of this.#served) if (lines.get(who)?.length === 0) this.#served.delete(who);
    // Who was not served before comes first.
    const all = [...lines].sort(([a], [b]) => Number(this.#served.has(a)) - Number(this.#served.has(b)));
    const longest = Math.max(0, ...all.map(([, line]) => line.length));
    return Array.from({ length: longest }, (_, at) => all.flatMap(([, line]) => line[at] ?? [])).flat();
  }
}
