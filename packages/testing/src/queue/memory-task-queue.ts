import type { QueueTick, TickOutcome } from '@toolwright/core/extend';
import type {
  Clock,
  MemoryTaskStoreOptions,
  NewTask,
  QueueLoad,
  TaskAdmin,
  TaskEnding,
  TaskPage,
  TaskQuestion,
  TaskRecord,
} from '@toolwright/core/ports';
import { TaskQueue, type QueuedTask, type QueueWorker } from '@toolwright/queue';
import { MemoryTaskStore } from '@toolwright/core/ports';
import { InMemoryQueueState } from './in-memory-queue-state.js';
import type { QueueConsumer } from './queue-work.js';

/**
 * A queue in memory, for tests of tools that run on a queue: its work does not survive the process. `peer` makes
 * the queue of another process, and `loseRun` lets one die.
 */
export class MemoryTaskQueue extends TaskQueue {
  readonly #records: MemoryTaskStore;
  readonly #ledger: InMemoryQueueState;
  readonly #ticks: InMemoryTicks;
  #consumer: QueueConsumer | undefined;

  constructor(
    private readonly clock: Clock,
    options: MemoryTaskStoreOptions = {},
    shared?: { records: MemoryTaskStore; ledger: InMemoryQueueState; ticks: InMemoryTicks },
  ) {
    super();
    this.#records = shared?.records ?? new MemoryTaskStore(clock, options);
    this.#ledger = shared?.ledger ?? new InMemoryQueueState(clock, this.#records);
    this.#ticks = shared?.ticks ?? new InMemoryTicks(this.#records);
  }

  /** The same tasks, as another process sees them. */
  peer(): MemoryTaskQueue {
    const shared = { records: this.#records, ledger: this.#ledger, ticks: this.#ticks };
    return new MemoryTaskQueue(this.clock, {}, shared);
  }

  /**
   * Lets the run of a task be lost, as when its process dies.
   *
   * @returns false when nobody runs it
   */
  loseRun(taskId: string): boolean {
    return this.#ledger.lose(taskId);
  }

  enqueue(task: QueuedTask, job: string): TaskRecord | undefined {
    const created = this.#records.create(task);
    if (created) this.#ledger.add(task, job);
    return created;
  }

  override enqueueTick(tick: QueueTick, task: QueuedTask, job: string): TickOutcome {
    if (tick.at > this.now()) return 'early';
    const outcome = this.#ticks.take(tick, task);
    if (outcome === 'begun') this.#ledger.add(task, job);
    return outcome;
  }

  override now(): number {
    return this.clock.now();
  }

  work(worker: QueueWorker): void {
    this.#consumer = this.#ledger.join(worker);
  }

  async drain(graceMs: number): Promise<boolean> {
    const consumer = this.#consumer;
    if (!consumer) return true;
    consumer.isOpen = false;
    consumer.reserved = undefined;
    if (consumer.held.size === 0) return true;
    let cancel: () => void = () => undefined;
    const over = new Promise<false>((resolve) => {
      cancel = this.clock.after(graceMs, () => resolve(false));
    });
    const isFinished = await Promise.race([Promise.all(consumer.held).then(() => true), over]);
    cancel();
    if (!isFinished) this.#ledger.giveBack(consumer);
    return isFinished;
  }

  override admin(): TaskAdmin {
    return this.#records.admin();
  }

  load(): QueueLoad {
    return this.#ledger.load();
  }

  create(task: NewTask): TaskRecord | undefined {
    return this.#records.create(task);
  }

  get(id: string): TaskRecord | undefined {
    return this.#records.get(id);
  }

  override list(owner: string, cursor?: string): TaskPage | undefined {
    return this.#records.list(owner, cursor);
  }

  note(id: string, statusMessage: string): boolean {
    return this.#records.note(id, statusMessage);
  }

  ask(id: string, key: string, question: TaskQuestion): boolean {
    return this.#records.ask(id, key, question);
  }

  answer(id: string, answers: Readonly<Record<string, unknown>>): boolean {
    const isTaken = this.#records.answer(id, answers);
    if (isTaken && this.#records.get(id)?.status === 'working') this.#ledger.resume(id);
    return isTaken;
  }

  end(id: string, ending: TaskEnding): boolean {
    const hasEnded = this.#records.end(id, ending);
    if (hasEnded) this.#ledger.withdraw(id);
    return hasEnded;
  }
}

/** The latest tick of each key of a `MemoryTaskQueue`, with the task of its run. */
class InMemoryTicks {
  readonly #latest = new Map<string, { at: number; taskId?: string | undefined }>();

  constructor(private readonly records: MemoryTaskStore) {}

  /** Takes a tick, and creates the task of its run. */
  take({ key, at, isLate }: QueueTick, task: QueuedTask): TickOutcome {
    const latest = this.#latest.get(key);
    if (!latest && isLate) {
      this.#latest.set(key, { at });
      return 'taken';
    }
    if (latest && latest.at >= at) return 'taken';
    const before = latest?.taskId === undefined ? undefined : this.records.get(latest.taskId);
    if (before && !before.ending) {
      this.#latest.set(key, { at, taskId: before.id });
      return 'overlapping';
    }
    if (before) this.records.remove(before.id);
    this.records.add(task);
    this.#latest.set(key, { at, taskId: task.id });
    return 'begun';
  }
}
