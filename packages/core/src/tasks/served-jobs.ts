import { isHarmlessTwice } from '@toolwright/ground/base/content';
import { CALL_ID } from '@toolwright/ground/call/context/rounds';
import { principalKey } from '@toolwright/ground/call/operation/keys';
import { compareVersions, exactName } from '@toolwright/ground/call/operation/names';
import type { BoundTool } from '@toolwright/ground/call/operation/operation';
import {
  auditClient,
  auditPrincipal,
  writeUnawaited,
  eventRecord,
} from '@toolwright/ground/call/security/watched-audit-sink';
import type { AuditEvent } from '@toolwright/ground/ports/audit-sink';
import type { BootContext } from '@toolwright/ground/ports/boot-context';
import type { Observed, Telemetry } from '@toolwright/ground/ports/telemetry';
import type { Codec } from '@toolwright/wire/revision-record';
import { announceChange } from './task-call.js';
import type { ProtocolHost } from '../requests/engine.js';
import { toolTarget } from '../requests/methods/tools.js';
import type { BackgroundMethods, RunOfJob } from './background-methods.js';
import { logFailure, observedRun, ownerOfRuns } from './background-request.js';
import { QueuedRequest } from './queued-request.js';
import { QueuedRun, type RunOfTool } from './queued-run.js';
import type {
  JobLease,
  JobOutcome,
  OpenedJob,
  ServedOperation,
  TaskJob,
  TaskServer,
} from './task-carrier.js';
import type { TaskSettings } from './task-options.js';

/** Does the jobs of tasks that somebody else hands to this process. */
export class ServedJobs implements TaskServer {
  readonly settings: TaskSettings;
  readonly boot: BootContext;

  constructor(
    readonly host: ProtocolHost &
      Pick<TaskServer, 'boot'> & {
        readonly background: BackgroundMethods;
        readonly settings: { readonly tasks: TaskSettings };
      },
    private readonly codecs: ReadonlyMap<string, Codec>,
    private readonly telemetry: Telemetry,
  ) {
    this.settings = host.settings.tasks;
    this.boot = host.boot;
  }

  operations(): readonly ServedOperation[] {
    const { registry, background } = this.host;
    const tools = registry.tools.everything().filter(({ task }) => task !== undefined);
    return [
      // Jobs of a bare name are older than the versions of their tool, or of a release that did not say the version.
      ...tools.map((operation) => ({
        operation,
        noun: 'tool',
        names: [...new Set([exactName(operation), operation.versionOf ?? operation.name])],
      })),
      ...background.list().map(({ operation, source: { noun } }) => ({
        operation,
        noun,
        names: [exactName(operation)],
      })),
    ];
  }

  partOf(tool: BoundTool): string | undefined {
    return this.host.additions.partOf(tool);
  }

  presentParts(): readonly string[] {
    return this.host.additions.presentParts;
  }

  ownerOf(job: TaskJob): string {
    const run = this.host.background.runOf(job);
    return run ? ownerOfRuns(run) : principalKey(job.principal);
  }

  mayRepeat({ annotations, task }: BoundTool): boolean {
    return isHarmlessTwice(annotations) || task?.rerun === true;
  }

  changed(taskId: string): void {
    announceChange(this.host, taskId);
  }

  async open(job: TaskJob, lease: JobLease, isUnserved: boolean): Promise<OpenedJob> {
    const { host } = this;
    const background = host.background.runOf(job);
    const noun = background?.noun ?? 'tool';
    const codec = this.codecs.get(job.revision);
    const request = codec && this.#requestOf({ job, lease, codec, background });
    // A package may have to find out first what there is for the caller, as before any other request.
    if (request && !background) await host.additions.first?.(request);
    const operation = this.#find(job, isUnserved, background);
    if (!request || !codec) return { noun, operation: undefined, versions: [] };
    const isBare = !background && operation?.versionOf === job.tool;
    return {
      noun,
      operation,
      versions: isBare ? this.#versionsFor(job) : [],
      run: (tool) => this.#run({ job, lease, tool, codec, background, request }),
    };
  }

  giveUp(job: TaskJob, detail: string, tool: BoundTool | undefined): void {
    const { taskId, memories, principal } = job;
    const { audit, logger, background } = this.host;
    logger.error({ taskId, tool: job.tool, reason: detail }, 'A task was given up');
    const callId = memories[CALL_ID];
    const event = eventRecord(this.host, {
      ...(typeof callId === 'string' && { callId }),
      event: 'outcome',
      operation: (background.runOf(job)?.noun ?? 'tool') as AuditEvent['operation'],
      contract: job.contract,
      name: tool?.versionOf ?? job.tool,
      ...(tool?.version !== undefined && { version: tool.version }),
      annotations: { ...tool?.annotations },
      principal: auditPrincipal(principal, audit),
      client: auditClient(job.client.info),
      revision: job.revision,
      arguments: job.arguments,
      outcome: 'error',
      reason: 'TW_TASK_GIVEN_UP',
      detail,
      ...(job.ip !== undefined && { ip: job.ip }),
    });
    writeUnawaited(audit, event);
  }

  async #run(subject: Subject): Promise<JobOutcome> {
    const { lease, tool, background, request } = subject;
    const { host, settings } = this;
    const run = new QueuedRun(subject, host.logger, settings);
    const observation = this.telemetry.observe(() =>
      background ? observedRun({ ...background, name: tool.name }) : observedCall(subject),
    );
    if (observation) request.trace = observation.trace;
    const outcome = await (observation ? observation.run(() => run.outcome()) : run.outcome());
    observation?.end(errorTypeOf(outcome));
    const { failure } = request;
    if (background && failure && outcome.is !== 'limited' && !lease.signal.aborted)
      logFailure(host.logger, { ...background, name: tool.name, failure });
    return outcome;
  }

  #requestOf({ job, lease, codec, background }: Omit<Subject, 'tool' | 'request'>): QueuedRequest {
    const { clock, logger } = this.host;
    const run = { job, lease, features: codec.features, background };
    return new QueuedRequest(run, { era: codec.era, clock, logger });
  }

  /** A tool never does the work of a package that this process does not have. */
  #find(job: TaskJob, isUnserved: boolean, background: RunOfJob | undefined): BoundTool | undefined {
    const { host } = this;
    if (background) return host.background.get(background.noun, job.tool)?.operation;
    if (isUnserved && isForeign(job)) return undefined;
    return host.registry.tools.getFor(job.tool, job.principal);
  }

  #versionsFor(job: TaskJob): readonly BoundTool[] {
    const { registry } = this.host;
    return registry.tools
      .everything()
      .filter((tool) => tool.versionOf === job.tool && registry.visible(tool, job.principal))
      .sort(compareVersions);
  }
}

interface Subject extends RunOfTool {
  readonly background: RunOfJob | undefined;
}

/** The members of a job of a call. */
const ofCalls: Readonly<Record<keyof TaskJob, true>> = {
  taskId: true,
  tool: true,
  arguments: true,
  principal: true,
  unkeptClaims: true,
  contract: true,
  shape: true,
  queuedAt: true,
  revision: true,
  client: true,
  trace: true,
  transport: true,
  ip: true,
  answers: true,
  memories: true,
};

/** True for the run of a package that this process does not have: its job says something that no job of a call says. */
function isForeign(job: TaskJob): boolean {
  return Object.keys(job).some((member) => !Object.hasOwn(ofCalls, member));
}

function observedCall({ tool, job, lease }: Subject): Observed {
  return {
    method: 'tools/call',
    target: toolTarget(tool),
    attributes: { 'mcp.protocol.version': job.revision, 'toolwright.task.attempt': lease.attempt },
    trace: job.trace,
  };
}

function errorTypeOf(outcome: JobOutcome): string | undefined {
  if (outcome.is === 'failed') return 'tool_error';
  if (outcome.is !== 'ended') return undefined;
  const { ending } = outcome;
  if (ending.status === 'failed') return String(ending.error.code);
  return ending.status === 'completed' && ending.result['isError'] === true ? 'tool_error' : undefined;
}
