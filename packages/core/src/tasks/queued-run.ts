import { readDigits } from '@toolwright/json';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { type ToolResult, isHarmlessTwice } from '../base/content.js';
import { JsonRpcCode, ProtocolError } from '../base/errors/errors.js';
import { HiddenOperationError, UnknownStepError } from '../base/errors/specific-errors.js';
import { parseDuration } from '../base/options/rules.js';
import type { CallFailure } from '../base/request-context.js';
import { InputRequired } from '../call/context/rounds.js';
import type { BoundTool } from '../call/operation/operation.js';
import { RETRY_AFTER_MS } from '../base/retry-after.js';
import type { WorkLease, WorkOutcome } from '../ports/task-queue.js';
import type { TaskJob } from '../ports/task-runner.js';
import type { TaskEnding } from '../ports/task-store.js';
import type { ProtocolHost } from '../requests/engine.js';
import type { JsonObject } from '../wire/json-rpc.js';
import { tellable } from '../wire/reply.js';
import type { Codec } from '../wire/revision-record.js';
import type { RunOfJob } from './background-methods.js';
import type { QueuedRequest } from './queued-request.js';

/** What the runs of one server share. */
export interface RunPorts {
  readonly host: Pick<ProtocolHost, 'clock' | 'logger'>;
  /** The most that the result of a task may take, in bytes of JSON. */
  readonly maxResultBytes: number;
}

interface RunSubject {
  readonly job: TaskJob;
  readonly lease: WorkLease;
  readonly tool: BoundTool;
  readonly codec: Codec;
  readonly request: QueuedRequest;
}

const DEFAULT_BACKOFF = '1s';

/** One run of a tool's whole chain, from a job that a queue has handed out. */
export class QueuedRun {
  constructor(
    private readonly ports: RunPorts,
    private readonly subject: RunSubject,
  ) {}

  async run(): Promise<WorkOutcome> {
    const { lease, request } = this.subject;
    // The queue aborts the signal wherever it learns that the task has ended, such as in the request that cancels it.
    const stop = AsyncLocalStorage.bind(() => request.cancel(lease.signal.reason));
    if (lease.signal.aborted) stop();
    lease.signal.addEventListener('abort', stop, { once: true });
    try {
      const outcome = await this.#outcome();
      if (outcome.is === 'asking') request.notes.flush();
      return outcome;
    } finally {
      request.notes.end();
      lease.signal.removeEventListener('abort', stop);
    }
  }

  async #outcome(): Promise<WorkOutcome> {
    const { tool, job, request } = this.subject;
    try {
      const result = await tool.run(request, job.arguments);
      if (result instanceof InputRequired)
        return { is: 'asking', questions: Object.fromEntries(result.pending) };
      return this.#weigh(this.#completed(result), result._meta);
    } catch (thrown) {
      const error = thrown instanceof HiddenOperationError ? this.#notAllowed() : thrown;
      const { rpcCode, message, data } = tellable(error, this.ports.host.logger);
      const shown = { code: rpcCode, message, ...(data && { data }) };
      return this.#weigh({ status: 'failed', error: shown }, data);
    }
  }

  /** The caller knows the tool, because its task began. So an answer as for an unknown tool would only mislead. */
  #notAllowed(): ProtocolError {
    const { tool, lease, job } = this.subject;
    const rule = isExcluded(tool, job)
      ? 'The option "for" of the tool'
      : 'authorize(), or a guard of a package,';
    this.ports.host.logger.warn(
      { taskId: lease.taskId, tool: tool.name, option: 'tasks.claims' },
      `${rule} refuses a task that it has let begin. A queued task keeps only the claims of its caller that tasks.claims names: name the claims that the rule reads`,
    );
    return new ProtocolError(
      JsonRpcCode.internalError,
      `This server does not let the caller of this task use the tool "${tool.name}", so the task was not carried out. Either the caller has lost the right since the task began, or the server has not kept the claims that it decides by.`,
      { reason: 'not_allowed' },
    );
  }

  /** Decides whether a failed run is the last one. */
  #weigh(ending: TaskEnding, meta: Readonly<Record<string, unknown>> | undefined): WorkOutcome {
    const { failure } = this.subject.request;
    if (!failure) return { is: 'ended', ending };
    if (failure.outcome === 'limited') {
      const wait = meta?.['retryAfterMs'];
      const afterMs = typeof wait === 'number' ? wait : RETRY_AFTER_MS.busy;
      return { is: 'postponed', afterMs, statusMessage: 'Waiting for a free slot.' };
    }
    const { lease, tool } = this.subject;
    const { retries = 0, backoff = DEFAULT_BACKOFF } = tool.task ?? {};
    const isPassing = failure.outcome === 'error' && failure.isRetryable === true;
    if (isPassing && lease.attempt <= retries) {
      const afterMs = retryPause(lease.taskId, lease.attempt, parseDuration(backoff));
      return { is: 'retrying', afterMs, statusMessage: this.#describeFailure(failure, retries, afterMs) };
    }
    const isDead = isPassing || failure.error instanceof UnknownStepError;
    return { is: 'ended', ending, ...(isDead && { isDead }) };
  }

  /** It names no error: a status message can be read by operators of the database. */
  #describeFailure({ reference }: CallFailure, retries: number, afterMs: number): string {
    const attempt = `Run ${this.subject.lease.attempt} of ${retries + 1} failed`;
    const seconds = Math.max(1, Math.round(afterMs / 1_000));
    return `${attempt}${reference === undefined ? '' : ` (ref ${reference})`}. The next one begins in ${seconds} s.`;
  }

  /** This is exactly the answer that the call itself would have had, if it is not too large to be stored. */
  #completed(result: ToolResult): TaskEnding {
    const { codec, tool } = this.subject;
    const { maxResultBytes } = this.ports;
    const text = codec.toolResult(result, tool);
    const bytes = Buffer.byteLength(text);
    if (bytes <= maxResultBytes) return { status: 'completed', result: readDigits(text) as JsonObject };
    const message = `The task was done, but its result has ${bytes} bytes, and a task can keep ${maxResultBytes}. The tool should return a resource link in its place.`;
    const data = { reason: 'result_too_large', bytes, maxBytes: maxResultBytes };
    return { status: 'failed', error: { code: JsonRpcCode.internalError, message, data } };
  }
}

/** Whether the tool is for other callers than that of a task. */
function isExcluded({ audience }: BoundTool, { principal }: TaskJob): boolean {
  try {
    return audience?.(principal) === false;
  } catch {
    return true;
  }
}

/** Why a run does not begin, and never will. The task fails. */
export interface RunFailure {
  /** For programs: it is part of the error's data. */
  readonly reason: 'tool_gone' | 'contract_changed' | 'run_lost' | 'runs_lost';
  readonly message: string;
}

/** After how many lost runs a task is given up that had their processes for themselves: it may be what ends them. */
const MOST_LOSSES_ALONE = 3;
/** The same where the queue does not count who ran alone. */
const MOST_LOSSES = 5;

/** Why the task failed that no process could do. @param tool what this process has under that name */
export function unservedFailure(
  tool: BoundTool | undefined,
  { tool: name, shape }: TaskJob,
  { unservedMs, background }: { readonly unservedMs: number; readonly background: RunOfJob | undefined },
): RunFailure {
  const what = background?.noun ?? 'tool';
  const waited = durationText(unservedMs);
  const advice = background ? '' : ' Call the tool again.';
  if (!tool)
    return {
      reason: 'tool_gone',
      message: `No process that works on tasks has had the ${what} "${name}" for ${waited}, so this task was not carried out.`,
    };
  if (shape === undefined)
    return {
      reason: 'contract_changed',
      message: `This task was begun by an earlier release, and the ${what} "${name}" has changed since then, so the task was not carried out.${advice}`,
    };
  return {
    reason: 'contract_changed',
    message: `The ${what} "${name}" was changed by a release after this task had begun, and no process that works on tasks has had the former one for ${waited}, so the task was not carried out.${advice}`,
  };
}

function durationText(ms: number): string {
  const [amount, unit] = ms >= 120_000 ? [ms / 60_000, 'minutes'] : [ms / 1_000, 'seconds'];
  return `${Number(amount.toFixed(1))} ${unit}`;
}

/** Whether the runs that were lost allow another one. @returns `undefined` when they do */
export function lossFailure(tool: BoundTool, lease: LossesOfLease): RunFailure | undefined {
  if (!lease.isAfterLoss) return undefined;
  if (!isRepeatable(tool))
    return {
      reason: 'run_lost',
      message:
        'The process that worked on this task has ended or stood still for too long. It is not known how far the work got, so it was not begun again. Check before you call the tool again.',
    };
  const { lossesAlone } = lease;
  if (lossesAlone === undefined && lease.attempt > MOST_LOSSES + (tool.task?.retries ?? 0))
    return {
      reason: 'runs_lost',
      message: `${MOST_LOSSES} processes that worked on this task have ended or stood still before it was done, so it was given up.`,
    };
  if (lossesAlone !== undefined && lossesAlone >= MOST_LOSSES_ALONE)
    return {
      reason: 'runs_lost',
      message: `${lossesAlone} processes that worked on this task alone have ended or stood still before it was done, so it was given up.`,
    };
  return undefined;
}

type LossesOfLease = Pick<WorkLease, 'attempt' | 'isAfterLoss' | 'lossesAlone'>;

/** Whether the effects of the tool allow another run after one that got somewhere. */
function isRepeatable({ annotations, task }: BoundTool): boolean {
  return isHarmlessTwice(annotations) || task?.rerun === true;
}

const LONGEST_MS = 3_600_000;

/**
 * How long a failed task rests before its next run, in milliseconds: twice as long each time, and an hour at
 * most. The pauses of tasks that failed together differ by up to half, so that they do not come back together.
 * The difference comes from the task's id: the same run always has the same pause.
 */
export function retryPause(taskId: string, attempt: number, backoffMs: number): number {
  const longest = Math.min(LONGEST_MS, backoffMs * 2 ** Math.min(attempt - 1, 40));
  const share = createHash('sha256').update(`${taskId} ${attempt}`).digest().readUInt32BE(0) / 2 ** 32;
  return Math.round(longest * (0.5 + share / 2));
}
