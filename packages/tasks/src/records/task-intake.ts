import { AsyncLocalStorage } from 'node:async_hooks';
import type { NewTask, TaskRecord } from '@toolwright/core/ports';
import { PostgresError, type PreparedDatabase, type Query } from '@toolwright/postgres/database';
import type { JobEngine } from '../engine/job-engine.js';
import type { NewJob, TaskRecords } from './task-records.js';
import type { TaskRoom } from './task-room.js';

/** How many transactions that create tasks run at the same time. Tasks that come meanwhile go into the next one. */
const LANES = 2;
const TASKS_PER_TRANSACTION = 50;

/** The parts of a queue that take new tasks. */
export interface Intake {
  readonly prepared: PreparedDatabase;
  readonly room: TaskRoom;
  readonly records: TaskRecords;
  readonly engine: JobEngine;
}

type Task = NewTask & NewJob;

interface WaitingTask {
  readonly task: Task;
  readonly resolve: (record: TaskRecord | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Creates tasks together with their jobs. Tasks that come at the same time share a transaction, and so its cost. */
export class TaskIntake {
  readonly #waiting: WaitingTask[] = [];
  #lanes = 0;
  /** A transaction is for several callers, so it runs in the context of none. */
  readonly #atBoot = AsyncLocalStorage.snapshot();

  constructor(
    private readonly queue: Intake,
    private readonly lostAfter: number,
  ) {}

  /** @returns `undefined` when the owner, or the queue, has reached its limit */
  add(task: Task): Promise<TaskRecord | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject });
      this.#start();
    });
  }

  #start(): void {
    while (this.#lanes < LANES && this.#waiting.length > 0) {
      this.#lanes += 1;
      const arrivals = this.#waiting.splice(0, TASKS_PER_TRANSACTION);
      void this.#atBoot(() => this.#take(arrivals)).finally(() => {
        this.#lanes -= 1;
        this.#start();
      });
    }
  }

  async #take(arrivals: readonly WaitingTask[]): Promise<void> {
    if (arrivals.length > 1 && (await this.#takeTogether(arrivals))) return;
    await Promise.all(
      arrivals.map(({ task, resolve, reject }) =>
        this.#transaction((query) => this.#createOne(query, task)).then(resolve, reject),
      ),
    );
  }

  /** @returns false when they have to come one by one: near a limit, and when one of them is refused */
  async #takeTogether(arrivals: readonly WaitingTask[]): Promise<boolean> {
    const tasks = arrivals.map(({ task }) => task);
    try {
      const records = await this.#transaction((query) => this.#createAll(query, tasks));
      if (records) arrivals.forEach(({ resolve }, index) => resolve(records[index]));
      return records !== undefined;
    } catch (error) {
      if (error instanceof PostgresError && error.code === 'TW_POSTGRES_REFUSED') return false;
      for (const { reject } of arrivals) reject(error);
      return true;
    }
  }

  async #createAll(query: Query, tasks: readonly Task[]): Promise<TaskRecord[] | undefined> {
    const { room, records, engine } = this.queue;
    const owners = tasks.map(({ owner }) => owner);
    if (!(await room.hasForAll(query, owners))) return undefined;
    const created = await records.createAll(query, tasks);
    const { lostAfter } = this;
    await engine.sendAll(
      query,
      tasks.map(({ id, jobId }) => ({ taskId: id, jobId, lostAfter })),
    );
    return created;
  }

  async #createOne(query: Query, task: Task): Promise<TaskRecord | undefined> {
    const { room, records, engine } = this.queue;
    if (!(await room.has(query, task.owner))) return undefined;
    const record = await records.create(query, task, task);
    await engine.send(query, task.jobId, { taskId: task.id, lostAfter: this.lostAfter });
    return record;
  }

  async #transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.queue.prepared.transaction(work);
  }
}
