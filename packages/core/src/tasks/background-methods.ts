import { randomBytes } from 'node:crypto';
import type { BoundTool } from '@toolwright/ground/call/operation/operation';
import type { BootContext } from '@toolwright/ground/ports/boot-context';
import type { Telemetry } from '@toolwright/ground/ports/telemetry';
import type { MaybePromise } from '@toolwright/json';
import type { ProtocolHost } from '../requests/engine.js';
import {
  BACKGROUND_REVISION,
  type BackgroundRun,
  type BackgroundWords,
  beginRun,
  ownerOfRuns,
  serverAsClient,
} from './background-request.js';
import type { QueueTick, TaskJob, TickCarrier, TickOutcome } from './task-carrier.js';

/** A method that a package runs, and that nobody calls. It is ready to run. */
export interface BackgroundMethod<Data = unknown> {
  /** It is unique among the methods of its kind. */
  readonly name: string;
  /** What `draft` has said about it. */
  readonly data: Data;
  /**
   * Runs it in this process. A failure is logged.
   *
   * @param at the time that the run is for, in milliseconds since the epoch: its request id says it
   */
  run(at: number): BackgroundRun;
  /** Puts a run on the task queue, at most once for each time, whichever process asks. It needs `ExtensionHost.ticks`. */
  enqueue(tick: Omit<QueueTick, 'key'>): MaybePromise<TickOutcome>;
}

/** A package that runs methods. */
export interface BackgroundSource extends BackgroundWords {
  /** Is called after each change of the server's services, with all methods of this kind as they are now. */
  changed(methods: readonly BackgroundMethod<never>[]): void;
}

/** A method that is bound, with its guards. */
export interface BoundBackground {
  readonly source: BackgroundSource;
  readonly name: string;
  readonly data: unknown;
  /** In the form of a tool without arguments. No client can see or call it. */
  readonly operation: BoundTool;
}

/** Which run a job is. */
export interface RunOfJob extends BackgroundWords {
  readonly at: number;
}

/** What the runs of background methods use of their server. */
export interface BackgroundPorts {
  readonly host: Pick<ProtocolHost, 'info' | 'logger' | 'clock'>;
  readonly telemetry: Telemetry;
  /** Present if runs are handed out, each once over all processes. */
  readonly ticks: TickCarrier | undefined;
  /** How often those who wait for a task should ask, in milliseconds. */
  readonly pollIntervalMs: number;
}

/**
 * How long the record of a run is kept, in milliseconds: as long as the longest run, and some days for those who look
 * after it. The next run of the method removes it earlier.
 */
const KEPT_MS = 7 * 24 * 3_600_000;

/** The methods of a server that packages run. They change with its services. */
export class BackgroundMethods {
  readonly #sources = new Map<string, BackgroundSource>();
  #methods: readonly BoundBackground[] = [];
  #ports!: BackgroundPorts;

  /** @param boot packages hear of changes in it, whoever has changed the services */
  constructor(private readonly boot: BootContext) {}

  /** The protocol says how runs are done, before any package is started. */
  attach(ports: BackgroundPorts): void {
    this.#ports = ports;
  }

  addSource(source: BackgroundSource): void {
    this.#sources.set(source.noun, source);
  }

  /** Whether a package has these words already. */
  has(noun: string): boolean {
    return this.#sources.has(noun);
  }

  /** The task queue, if it hands out ticks. */
  get ticks(): { readonly now?: (() => MaybePromise<number>) | undefined } | undefined {
    return this.#ports.ticks;
  }

  /** `undefined` for the job of a call. */
  runOf(job: TaskJob): RunOfJob | undefined {
    for (const { noun, participle } of this.#sources.values()) {
      const at = (job as unknown as Record<string, unknown>)[`${participle}At`];
      if (typeof at === 'number') return { noun, participle, at };
    }
    return undefined;
  }

  get(noun: string, name: string): BoundBackground | undefined {
    return this.#methods.find((method) => method.name === name && method.source.noun === noun);
  }

  list(): readonly BoundBackground[] {
    return this.#methods;
  }

  set(methods: readonly BoundBackground[]): void {
    this.#methods = methods;
    for (const source of this.#sources.values()) {
      const own = methods.filter((method) => method.source === source);
      this.boot.run(() => source.changed(own.map((method) => this.#methodOf(method)) as never));
    }
  }

  #methodOf(method: BoundBackground): BackgroundMethod {
    const { name, data } = method;
    return {
      name,
      data,
      run: (at) => beginRun({ ...method, ...method.source, at }, this.#ports),
      enqueue: (tick) => this.#enqueue(method, tick),
    };
  }

  #enqueue(
    { name, operation, source }: BoundBackground,
    tick: Omit<QueueTick, 'key'>,
  ): MaybePromise<TickOutcome> {
    const { host, ticks, pollIntervalMs } = this.#ports;
    const { info } = host;
    const { noun, participle } = source;
    const taskId = randomBytes(24).toString('base64url');
    const job: TaskJob = {
      taskId,
      tool: name,
      [`${participle}At`]: tick.at,
      arguments: {},
      principal: undefined,
      contract: operation.contract,
      revision: BACKGROUND_REVISION,
      client: serverAsClient(info),
      trace: {},
      transport: 'memory',
      answers: {},
      memories: {},
    };
    const task = { id: taskId, owner: ownerOfRuns(source), ttlMs: KEPT_MS, pollIntervalMs, tool: name };
    // Servers may share a queue, and each has methods of its own.
    return ticks!.begin({ ...tick, key: `${info.name}/${name}` }, task, { job, operation, noun });
  }
}
