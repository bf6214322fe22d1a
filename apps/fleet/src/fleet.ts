import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BalancerProcess } from './processes/balancer-process.js';
import { requirePrograms } from './processes/find-program.js';
import { freePort } from './processes/free-port.js';
import { PostgresProcess } from './processes/postgres-process.js';
import { RedisProcess } from './processes/redis-process.js';
import { ReplicaProcess } from './processes/replica-process.js';
import { WorkerProcess } from './processes/worker-process.js';
import { Supervisor, type Supervised } from './processes/supervisor.js';

export interface FleetOptions {
  /** How many replicas there are. Default 3. */
  replicas?: number;
  /** How many processes work on tasks, and on nothing else. Default 0: the replicas do. */
  workers?: number;
  /** The port of the balancer. Default: any free one. */
  port?: number;
  /** More settings of the replicas, as environment variables. */
  environment?: NodeJS.ProcessEnv;
  /** Starts processes again that have ended, as an orchestrator does. Default false: tests do it themselves. */
  supervise?: boolean;
  /** Called with each part when it has started, for the first time or again. */
  onStart?(part: Part): void;
}

/** What a person is told about a process of the fleet. */
export interface Part {
  name: string;
  /** `undefined` for a worker, which listens nowhere. */
  address: string | undefined;
  pid: number;
}

interface Running extends Supervised {
  readonly url?: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** How often the balancer asks the replicas whether they are ready. */
const CHECK_MS = 100;
/** How long a replica that stops still takes requests: longer than the balancer needs to see it. */
const DRAIN_DELAY_MS = 3 * CHECK_MS;
/** How many tasks a replica works on at a time where there are no workers. */
const TASKS_OF_REPLICA = 8;

/** Redis, PostgreSQL, replicas and a balancer, all on 127.0.0.1 and in one temporary folder. */
export class Fleet {
  readonly #folder: string;
  /** The parts that run. Those of one stage do not need each other, and each stage needs those before it. */
  readonly #stages: Running[][] = [[], [], []];
  readonly #secret = randomBytes(32).toString('base64');
  readonly #supervisor = new Supervisor();
  readonly replicas: ReplicaProcess[] = [];
  readonly workers: WorkerProcess[] = [];
  redis!: RedisProcess;
  postgres!: PostgresProcess;
  balancer!: BalancerProcess;

  private constructor(private readonly options: FleetOptions) {
    this.#folder = mkdtempSync(join(tmpdir(), 'toolwright-fleet-'));
    // PostgreSQL may run as another user, who must get to its own folder in this one.
    chmodSync(this.#folder, 0o711);
  }

  /**
   * Starts everything.
   *
   * @throws {MissingProgramError} when a program is not installed
   */
  static async start(options: FleetOptions = {}): Promise<Fleet> {
    requirePrograms();
    const fleet = new Fleet(options);
    try {
      await fleet.#start();
      return fleet;
    } catch (error) {
      await fleet.stop();
      throw error;
    }
  }

  /** The endpoint behind which all replicas are. */
  get url(): string {
    return this.balancer.url;
  }

  /** The settings that all replicas have in common. The secret lives as long as this fleet. */
  get environment(): NodeJS.ProcessEnv {
    return {
      REDIS_URL: this.redis.url,
      DATABASE_URL: this.postgres.url,
      SECRETS: this.#secret,
      TASK_CONCURRENCY: String(this.options.workers ? 0 : TASKS_OF_REPLICA),
      DRAIN_DELAY_MS: String(DRAIN_DELAY_MS),
      ...this.options.environment,
    };
  }

  /** The audit log of each replica and worker. */
  get auditFiles(): string[] {
    return [...this.replicas, ...this.workers].map(({ name }) => this.#auditFile(name));
  }

  /** Ends all processes that this fleet has started, the last ones first, and removes its folder. */
  async stop(): Promise<void> {
    await this.#supervisor.end();
    for (const stage of this.#stages.reverse()) await Promise.all(stage.splice(0).map((part) => part.stop()));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #start(): Promise<void> {
    const [stores, replicas, balancers] = this.#stages as [Running[], Running[], Running[]];
    [this.redis, this.postgres] = await all([
      this.#keep(stores, 'redis', RedisProcess.start(this.#folderOf('redis'))),
      this.#keep(stores, 'postgres', PostgresProcess.start(this.#folderOf('postgres'))),
    ]);
    const { environment } = this;
    const starting = Array.from({ length: this.options.replicas ?? 3 }, async (_, index) => {
      const name = `replica-${index + 1}`;
      const settings = { ...environment, AUDIT_FILE: this.#auditFile(name) };
      const replica = ReplicaProcess.start(name, await freePort(), settings);
      return this.#keep(replicas, `replica ${index + 1}`, replica);
    });
    this.replicas.push(...(await all(starting)));
    // One after the other: each takes a processor while it starts.
    for (let number = 1; number <= (this.options.workers ?? 0); number++) {
      const name = `worker-${number}`;
      const settings = { ...environment, TASK_CONCURRENCY: '', AUDIT_FILE: this.#auditFile(name) };
      this.workers.push(await this.#keep(replicas, `worker ${number}`, WorkerProcess.start(name, settings)));
    }
    const plan = {
      port: this.options.port || (await freePort()),
      replicas: this.replicas,
      checkMs: CHECK_MS,
    };
    const balancer = BalancerProcess.start(this.#folderOf('balancer'), plan);
    this.balancer = await this.#keep(balancers, 'balancer', balancer);
  }

  async #keep<T extends Running>(stage: Running[], name: string, starting: Promise<T>): Promise<T> {
    const part = await starting;
    stage.push(part);
    const tell = () =>
      this.options.onStart?.({ name, address: part.url?.replace('/mcp', ''), pid: part.pid });
    tell();
    if (this.options.supervise) this.#supervisor.watch(part, tell);
    return part;
  }

  #folderOf(name: string): string {
    const folder = join(this.#folder, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  #auditFile(name: string): string {
    return join(this.#folderOf(name), 'audit.jsonl');
  }
}

/** As `Promise.all`, but it waits for all of them: what has started in the end must be stopped, too. */
async function all<T extends readonly unknown[]>(
  starting: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(starting);
  return Promise.all(starting);
}
