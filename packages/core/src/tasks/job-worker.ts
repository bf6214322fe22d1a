import { JsonRpcCode } from '../base/errors/errors.js';
import { CALL_ID } from '../call/context/rounds.js';
import { auditClient, auditPrincipal } from '../call/security/watched-audit-sink.js';
import type { BoundTool } from '../call/operation/operation.js';
import { compareVersions, exactName } from '../call/operation/versions.js';
import { randomIds } from '../ports/clock-and-ids.js';
import type { BootContext } from '../ports/boot-context.js';
import type { QueueWorker, ServedWork, WorkLease, WorkOutcome } from '../ports/task-queue.js';
import type { TaskJob } from '../ports/task-runner.js';
import type { Codec } from '../wire/revision-record.js';
import { toolTarget } from '../requests/methods/tools.js';
import type { ProtocolHost } from '../requests/engine.js';
import type { Observed, Telemetry } from '../ports/telemetry.js';
import type { BackgroundMethods, RunOfJob } from './background-methods.js';
import { logFailure, observedRun } from './background-request.js';
import { QueuedRequest } from './queued-request.js';
import { QueuedRun, type RunFailure, type RunPorts, lossFailure, unservedFailure } from './queued-run.js';
import { fitsJob, isForeign, workKey, workOfAnyShape, workPrefix } from './task-job.js';

/** What a worker uses of its server. */
export interface WorkerPorts extends RunPorts {
  readonly host: ProtocolHost & { readonly background: BackgroundMethods };
  readonly codecs: ReadonlyMap<string, Codec>;
  readonly telemetry: Telemetry;
  /** Runs begin in it, and not in the context of the request that has woken this worker. */
  readonly boot: BootContext;
  readonly onContractChange: 'fail' | 'run';
  /** How many milliseconds a task waits for a process that can do it. */
  readonly unservedMs: number;
  /** Announces that a task has changed. */
  tell(taskId: string): void;
}

interface Subject {
  readonly job: TaskJob;
  readonly lease: WorkLease;
  readonly tool: BoundTool;
  readonly codec: Codec;
  readonly background: RunOfJob | undefined;
  readonly request: QueuedRequest;
}

interface UnservedJob {
  readonly job: TaskJob;
  readonly tool: BoundTool | undefined;
  readonly background: RunOfJob | undefined;
}

/** Runs the jobs that a queue hands to this process. */
export class JobWorker implements QueueWorker {
  readonly #runs = new Set<{ readonly taskId: string; cancel(reason: unknown): void }>();

  constructor(
    private readonly ports: WorkerPorts,
    readonly concurrency: number,
  ) {}

  run(lease: WorkLease): Promise<WorkOutcome> {
    return this.ports.boot.run(() => this.#begin(lease));
  }

  async #begin(lease: WorkLease): Promise<WorkOutcome> {
    const { taskId } = lease;
    try {
      // An operator may have begun a task again, as another one.
      const job: TaskJob = { ...(JSON.parse(lease.job) as TaskJob), taskId };
      const { host, codecs } = this.ports;
      const background = host.background.runOf(job);
      const codec = codecs.get(job.revision);
      const request = codec && this.#requestOf({ job, lease, codec, background });
      // A package may have to find out first what there is for the caller, as before any other request.
      if (request && !background) await host.additions.first?.(request);
      const tool = this.#find(job, lease, background);
      if (!request || !tool || !codec || !this.#canDo(tool, job))
        return this.#unserved({ job, lease, background, tool: codec && tool });
      const failure = lossFailure(tool, lease);
      if (failure) return this.#giveUp(failure, { job, tool, background });
      return await this.#run({ job, lease, tool, codec, background, request });
    } catch (err) {
      this.ports.host.logger.error({ err, taskId }, 'A run of a task could not begin');
      return failed('The task could not be run by this server.', { reason: 'not_runnable' });
    }
  }

  serves(): ServedWork {
    const { host, onContractChange, unservedMs } = this.ports;
    const server = host.info.name;
    const keyOf = onContractChange === 'run' ? workOfAnyShape : workKey;
    const tools = host.registry.tools.everything().filter(({ task }) => task !== undefined);
    const kinds = [
      // Jobs of a bare name are older than the versions of their tool, or of a release that did not say the version.
      ...tools.flatMap((tool) =>
        [...new Set([exactName(tool), tool.versionOf ?? tool.name])].map((name) =>
          keyOf(tool, { server, what: 'tool' }, name),
        ),
      ),
      ...host.background
        .list()
        .map(({ operation, source }) => keyOf(operation, { server, what: source.noun })),
    ];
    return { kinds: [...new Set(kinds)], prefix: workPrefix(server), unservedMs };
  }

  changed(taskId: string): void {
    this.ports.boot.run(() => this.ports.tell(taskId));
  }

  /** Stops the runs of a task that has ended. */
  stop(taskId: string): void {
    for (const run of this.#runs)
      if (run.taskId === taskId) run.cancel(new DOMException('The task was cancelled.', 'AbortError'));
  }

  runs(taskId: string): boolean {
    return [...this.#runs].some((run) => run.taskId === taskId);
  }

  get taskIds(): ReadonlySet<string> {
    return new Set([...this.#runs].map(({ taskId }) => taskId));
  }

  async #run(subject: Subject): Promise<WorkOutcome> {
    const { lease, tool, background } = subject;
    const run = new QueuedRun(this.ports, subject);
    const { request } = subject;
    // The method goes on in the context of its own run, not of the caller that cancels the task.
    const cancel = this.ports.boot.bind((reason: unknown) => request.cancel(reason));
    const held = { taskId: lease.taskId, cancel };
    this.#runs.add(held);
    const observation = this.ports.telemetry.observe(() =>
      background ? observedRun({ ...background, name: tool.name }) : observedCall(subject),
    );
    if (observation) request.trace = observation.trace;
    try {
      const outcome = await (observation ? observation.run(() => run.run()) : run.run());
      observation?.end(errorTypeOf(outcome));
      const { failure } = request;
      const isOpen = outcome.is === 'postponed' || lease.signal.aborted;
      if (background && failure && !isOpen)
        logFailure(this.ports.host.logger, { ...background, name: tool.name, failure });
      return outcome;
    } finally {
      this.#runs.delete(held);
    }
  }

  #requestOf({ job, lease, codec, background }: Omit<Subject, 'tool' | 'request'>): QueuedRequest {
    const { clock, logger } = this.ports.host;
    const run = { job, lease, features: codec.features, background };
    return new QueuedRequest(run, { era: codec.era, clock, logger });
  }

  /** A tool never does the work of a package that this process does not have. */
  #find(job: TaskJob, lease: WorkLease, background: RunOfJob | undefined): BoundTool | undefined {
    const { host } = this.ports;
    if (background) return host.background.get(background.noun, job.tool)?.operation;
    if (lease.isUnserved && isForeign(job)) return undefined;
    const named = host.registry.tools.getFor(job.tool, job.principal);
    return named?.versionOf === job.tool ? (this.#versionFor(job) ?? named) : named;
  }

  /**
   * The version that a job of a bare name means. It has the contract that the caller knew; or it is the oldest one that can
   * do the work, because newer ones may have come after the job.
   */
  #versionFor(job: TaskJob): BoundTool | undefined {
    const { registry } = this.ports.host;
    const versions = registry.tools
      .everything()
      .filter((tool) => tool.versionOf === job.tool && registry.visible(tool, job.principal))
      .sort(compareVersions);
    return (
      versions.find(({ contract }) => contract === job.contract) ??
      versions.find((tool) => fitsJob(tool, job))
    );
  }

  #canDo(tool: BoundTool, job: TaskJob): boolean {
    return this.ports.onContractChange === 'run' || fitsJob(tool, job);
  }

  /**
   * The queue says when no process has served a task for too long. A queue that does not know what workers serve
   * hands a task to any worker. This worker gives it back, so that a process with the tool may get it, until its time
   * is over.
   */
  #unserved(abandoned: UnservedJob & { readonly lease: WorkLease }): WorkOutcome {
    const { job, lease, tool, background } = abandoned;
    const { host, unservedMs } = this.ports;
    const isOver = job.queuedAt === undefined || host.clock.now() - job.queuedAt >= unservedMs;
    if (lease.isUnserved || isOver)
      return this.#giveUp(unservedFailure(tool, job, { unservedMs, background }), abandoned);
    return {
      is: 'postponed',
      afterMs: Math.min(UNKNOWN_MS, unservedMs),
      statusMessage: `Waiting for a process that has "${job.tool}" as it was when the task began.`,
    };
  }

  /** Ends a task that nobody can run. Its call has an intent in the audit log, so it gets an outcome, too. */
  #giveUp({ reason, message }: RunFailure, given: UnservedJob): WorkOutcome {
    const { job } = given;
    const { host } = this.ports;
    const { taskId } = job;
    host.logger.error({ taskId, tool: job.tool, reason }, 'A task was given up');
    this.#record(reason, given);
    return failed(message, { reason });
  }

  #record(detail: string, { job, tool, background }: UnservedJob): void {
    const { memories, principal } = job;
    const { audit, ids = randomIds, clock } = this.ports.host;
    const time = clock.now();
    const id = ids.uuid(time);
    const callId = memories[CALL_ID];
    const { info } = job.client;
    const operation = background?.noun ?? 'tool';
    void (async () =>
      audit?.write(
        {
          ...{ id, callId: typeof callId === 'string' ? callId : id, time },
          ...{ event: 'outcome', operation, contract: job.contract },
          ...{ name: tool?.versionOf ?? job.tool, version: tool?.version },
          annotations: { ...tool?.annotations },
          principal: auditPrincipal(principal, audit),
          client: auditClient(info),
          ...{ revision: job.revision, arguments: job.arguments },
          ...{ outcome: 'error', reason: 'TW_TASK_GIVEN_UP', detail, ip: job.ip },
        } as Parameters<typeof audit.write>[0],
        'buffered',
      ))().catch(() => undefined); // `WatchedAuditSink` logs it.
  }
}

function observedCall({ tool, job, lease }: Subject): Observed {
  return {
    method: 'tools/call',
    target: toolTarget(tool),
    attributes: { 'mcp.protocol.version': job.revision, 'toolwright.task.attempt': lease.attempt },
    trace: job.trace,
  };
}

/** After how many milliseconds a run is handed out again that its worker does not know. */
const UNKNOWN_MS = 5_000;

function failed(message: string, data: Record<string, unknown>): WorkOutcome {
  const error = { code: JsonRpcCode.internalError, message, data };
  return { is: 'ended', ending: { status: 'failed', error }, isDead: true };
}

function errorTypeOf(outcome: WorkOutcome): string | undefined {
  if (outcome.is === 'retrying') return 'tool_error';
  if (outcome.is !== 'ended') return undefined;
  const { ending } = outcome;
  if (ending.status === 'failed') return String(ending.error.code);
  return ending.status === 'completed' && ending.result['isError'] === true ? 'tool_error' : undefined;
}
