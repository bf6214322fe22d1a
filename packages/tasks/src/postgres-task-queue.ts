import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { QueueTick, TickOutcome } from '@toolwright/core/extend';
import type {
  NewTask,
  QueueLoad,
  StoreHealth,
  StorePorts,
  TaskAdmin,
  TaskEnding,
  TaskPage,
  TaskQuestion,
  TaskRecord,
} from '@toolwright/core/ports';
import { TaskQueue, type QueuedTask, type QueueWorker } from '@toolwright/queue';
import type { Query } from '@toolwright/postgres/database';
import { wrongOption } from '@toolwright/core/options';
import { OperatorTasks } from './operators/operator-tasks.js';
import { OpenQueue, type OpenQueueSettings } from './open-queue.js';
import { WorkLoop } from './worker/work-loop.js';

/** Tasks in PostgreSQL. Until it is open, it knows none and takes none. */
export class PostgresTaskQueue extends TaskQueue {
  #open: OpenQueue | undefined;
  #ports: StorePorts | undefined;
  #loop: WorkLoop | undefined;

  constructor(private readonly settings: Omit<OpenQueueSettings, 'clock'>) {
    super();
  }

  override async open(ports: StorePorts): Promise<void> {
    this.#ports = ports;
    const events = {
      onWork: () => this.#loop?.wake(),
      onStop: (jobId: string) => this.#loop?.checkRun(jobId),
    };
    this.#open = await OpenQueue.open({ ...this.settings, clock: ports.clock }, ports, events);
    const problem = await this.#open.start();
    if (!problem) return;
    await this.close();
    throw wrongOption(problem.message, 'Correct the options of postgresTasks.');
  }

  create(task: NewTask): Promise<TaskRecord | undefined> {
    return this.#transaction(async (query, { room, records }) =>
      (await room.has(query, task.owner)) ? records.create(query, task) : undefined,
    );
  }

  async enqueue(task: QueuedTask, job: string): Promise<TaskRecord | undefined> {
    const created = await this.#opened.intake.add({ ...task, job, jobId: randomUUID() });
    if (created) this.#tellWork();
    return created;
  }

  override async enqueueTick(tick: QueueTick, task: QueuedTask, job: string): Promise<TickOutcome> {
    const outcome = await this.#transaction(async (query, { ticks, records, engine }) => {
      if (tick.at > (await ticks.now(query))) return 'early';
      const taken = await ticks.take(query, tick);
      if (!taken) return 'taken';
      if (taken.before !== undefined && !(await ticks.remove(query, taken.before))) {
        await ticks.skip(query, tick.key);
        return 'overlapping';
      }
      const jobId = randomUUID();
      await records.create(query, task, { ...task, job, jobId });
      await engine.send(query, jobId, { taskId: task.id, lostAfter: this.settings.lostAfter });
      await ticks.begin(query, tick.key, task.id);
      return 'begun';
    });
    if (outcome === 'begun') this.#tellWork();
    return outcome;
  }

  override async now(): Promise<number> {
    const { ticks, query } = this.#opened;
    return ticks.now(query);
  }

  async get(id: string): Promise<TaskRecord | undefined> {
    const { records, query } = this.#opened;
    return records.get(query, id);
  }

  override async list(owner: string, cursor?: string): Promise<TaskPage | undefined> {
    const { records, query } = this.#opened;
    return records.list(query, owner, cursor);
  }

  async note(id: string, statusMessage: string): Promise<boolean> {
    const { records, query } = this.#opened;
    return records.note(query, id, statusMessage);
  }

  ask(id: string, key: string, question: TaskQuestion): Promise<boolean> {
    return this.#transaction(async (query, { records }) => {
      const open = await records.open(query, id);
      if (!open) return false;
      const { questions, answers } = open.record;
      await records.discuss(query, id, { questions: { ...questions, [key]: question }, answers });
      return true;
    });
  }

  async answer(id: string, given: Readonly<Record<string, unknown>>): Promise<boolean> {
    const jobId = randomUUID();
    const result = await this.#transaction(async (query, { records, engine }) => {
      const open = await records.open(query, id);
      const asked = Object.entries(open?.record.questions ?? {});
      const left = asked.filter(([key]) => !Object.hasOwn(given, key));
      if (!open || left.length === asked.length) return 'ignored';
      const taken = asked.filter(([key]) => Object.hasOwn(given, key)).map(([key]) => [key, given[key]]);
      const answers = { ...open.record.answers, ...Object.fromEntries(taken) };
      const goesOn = open.isWaiting && left.length === 0;
      const discussion = { questions: Object.fromEntries(left), answers };
      await records.discuss(query, id, { ...discussion, ...(goesOn && { jobId }) });
      if (!goesOn) return 'taken';
      await engine.send(query, jobId, { taskId: id, lostAfter: this.settings.lostAfter });
      return 'handed out';
    });
    if (result === 'handed out') this.#tellWork();
    return result !== 'ignored';
  }

  async end(id: string, ending: TaskEnding): Promise<boolean> {
    const ended = await this.#transaction(async (query, { records, engine }) => {
      const before = await records.end(query, id, ending);
      if (before?.jobId) await engine.drop(query, [before.jobId]);
      return before;
    });
    if (ended?.jobId) {
      this.#loop?.stopRun(ended.jobId);
      this.#open?.line.tellStop(ended.jobId);
    }
    return ended !== undefined;
  }

  override admin(by: string): TaskAdmin {
    return new OperatorTasks(() => this.#opened, { schema: this.settings.schema, by });
  }

  async work(worker: QueueWorker): Promise<void> {
    const { runs, claims, prepared } = this.#opened;
    const thread = await this.#opened.touchThread();
    this.#loop = new WorkLoop(worker, {
      ...this.#ports!,
      database: prepared,
      runs,
      claims,
      engine: () => this.#opened.engine,
      name: `${hostname()} ${process.pid}`,
      thread,
    });
  }

  async drain(graceMs: number): Promise<boolean> {
    const isDone = (await this.#loop?.drain(graceMs)) ?? true;
    if (!isDone) this.#open?.line.tellWork();
    return isDone;
  }

  async load(): Promise<QueueLoad> {
    const { claims, engine, records, query } = this.#opened;
    const depth = await records.depth(query, engine.waitingJobs);
    return { ...(await claims.load(query)), dead: await records.dead(query), depth };
  }

  override health(): readonly StoreHealth[] {
    const health = this.#open?.prepared.keeper.health ?? { store: 'postgres tasks', up: false, since: 0 };
    return [{ ...health, up: health.up && (this.#loop?.isWell ?? true) }];
  }

  override async close(): Promise<void> {
    this.#loop?.close();
    await this.#open?.close();
    this.#open = undefined;
  }

  get #opened(): OpenQueue {
    if (!this.#open) throw new Error('The queue of the tasks is not open.');
    return this.#open;
  }

  #tellWork(): void {
    this.#loop?.wake();
    this.#open?.line.tellWork();
  }

  async #transaction<T>(work: (query: Query, queue: OpenQueue) => Promise<T>): Promise<T> {
    const queue = this.#opened;
    return queue.prepared.transaction((query) => work(query, queue));
  }
}
