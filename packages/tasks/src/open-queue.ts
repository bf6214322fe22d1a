import { type StorePorts, monotonic } from '@toolwright/core/ports';
import {
  openDatabase,
  PostgresError,
  PreparedDatabase,
  prepareTables,
  StatementThread,
  Sweeper,
  type Database,
  type DatabaseSettings,
  type Query,
  type Expiring,
} from '@toolwright/postgres/database';
import { reasonOf } from '@toolwright/json';
import { JobEngine, touchText } from './engine/job-engine.js';
import { TaskIntake } from './records/task-intake.js';
import { ScheduleTicks } from './records/schedule-ticks.js';
import { TaskClaims } from './records/task-claims.js';
import { TaskRecords } from './records/task-records.js';
import { TaskRoom, type TaskLimits } from './records/task-room.js';
import { TaskRuns } from './records/task-runs.js';
import { taskTables } from './records/task-tables.js';
import { engineSchema } from './task-database.js';
import { TOUCH_MS } from './worker/touches.js';
import { TaskLine, type TaskLineSettings } from './worker/task-line.js';

export interface OpenQueueSettings extends DatabaseSettings, TaskLimits {
  readonly schema: string;
  readonly migrate: boolean;
  readonly checkInterval: number;
  readonly lostAfter: number;
}

/** The queue of a server that runs: its database, kept prepared, its engine, and its line to the other processes. */
export class OpenQueue {
  readonly records: TaskRecords;
  readonly runs: TaskRuns;
  readonly claims: TaskClaims;
  readonly ticks: ScheduleTicks;
  readonly room: TaskRoom;
  readonly prepared: PreparedDatabase;
  readonly line: TaskLine;
  readonly intake: TaskIntake;
  readonly query: Query = (text, values) => this.prepared.query(text, values);
  readonly #sweeper: Sweeper;
  #engine: JobEngine | undefined;

  private constructor(
    private readonly database: Database,
    private readonly settings: OpenQueueSettings,
    private readonly ports: StorePorts,
    events: Pick<TaskLineSettings, 'onWork' | 'onStop'>,
  ) {
    const { schema, checkInterval } = settings;
    this.records = new TaskRecords(schema);
    this.runs = new TaskRuns(schema);
    this.claims = new TaskClaims(schema, engineSchema(schema));
    this.ticks = new ScheduleTicks(schema);
    this.room = new TaskRoom(schema, settings, () => monotonic(ports.clock));
    const prepare = () => this.#prepare();
    this.prepared = new PreparedDatabase(database, ports, { name: 'postgres tasks', checkInterval, prepare });
    this.line = new TaskLine(database, ports, { schema, checkInterval, ...events });
    this.intake = new TaskIntake(this, settings.lostAfter);
    this.#sweeper = new Sweeper(ports.clock, [expiredTasks(this)]);
  }

  static async open(
    settings: OpenQueueSettings,
    ports: StorePorts,
    events: Pick<TaskLineSettings, 'onWork' | 'onStop'>,
  ): Promise<OpenQueue> {
    return new OpenQueue(await openDatabase(settings), settings, ports, events);
  }

  /** @returns the error when Postgres refuses what the options ask for; none when it is merely away */
  async start(): Promise<PostgresError | undefined> {
    const problems = await Promise.all([this.prepared.keeper.start(), this.line.keeper.start()]);
    this.#sweeper.start();
    return problems.find((problem) => problem !== undefined);
  }

  /** Renews the runs of this process while its event loop is blocked, where a thread can connect. */
  touchThread(): Promise<StatementThread | undefined> {
    const { logger } = this.ports;
    const statement = { text: touchText(engineSchema(this.settings.schema)), everyMs: TOUCH_MS };
    return StatementThread.start(this.settings, statement, (error) =>
      logger.warn(
        { reason: reasonOf(error) },
        'The thread that renews runs of tasks has ended; the event loop renews them',
      ),
    );
  }

  /** @throws {PostgresError} */
  get engine(): JobEngine {
    if (!this.#engine) throw new PostgresError('TW_POSTGRES_UNAVAILABLE', 'Postgres is away.');
    return this.#engine;
  }

  async close(): Promise<void> {
    this.#sweeper.stop();
    this.prepared.keeper.stop();
    await this.line.close();
    await this.#engine?.stop();
    await this.database.close();
  }

  async #prepare(): Promise<void> {
    const { schema, migrate, pglite } = this.settings;
    await prepareTables(this.database, taskTables, { schema, migrate });
    const settings = {
      schema: engineSchema(schema),
      migrate,
      isPglite: pglite !== undefined,
    };
    this.#engine ??= await JobEngine.start(this.database, settings, this.ports.logger);
  }
}

/** A batch is one transaction, and none takes long. */
const TASKS_PER_BATCH = 500;

/** The parts of a queue that know tasks whose time has passed. */
interface Swept {
  readonly prepared: PreparedDatabase;
  readonly records: TaskRecords;
  readonly claims: TaskClaims;
  readonly engine: JobEngine;
}

/** Tasks whose time has passed, with their jobs. */
function expiredTasks(queue: Swept): Expiring {
  return {
    perBatch: TASKS_PER_BATCH,
    async remove() {
      const { prepared, records, claims, engine } = queue;
      return prepared.transaction(async (query) => {
        const { removed, jobIds } = await records.sweep(query, TASKS_PER_BATCH);
        await engine.drop(query, jobIds);
        await claims.dropOrphans(query, TASKS_PER_BATCH);
        return removed;
      });
    },
  };
}
