import type { ToolResult } from '@toolwright/ground/base/content';
import {
  JsonRpcCode,
  ProtocolError,
  HiddenOperationError,
  UnknownStepError,
  RETRY_AFTER_MS,
} from '@toolwright/ground/base/errors/errors';
import { InputRequired } from '@toolwright/ground/call/context/rounds';
import type { BoundTool } from '@toolwright/ground/call/operation/operation';
import type { Logger } from '@toolwright/ground/ports/logger';
import type { TaskEnding } from '@toolwright/ground/ports/task-store';
import { readDigits } from '@toolwright/json';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { JsonObject } from '@toolwright/wire/json-rpc';
import { errorForClient } from '@toolwright/wire/reply';
import type { Codec } from '@toolwright/wire/revision-record';
import type { QueuedRequest } from './queued-request.js';
import type { JobLease, JobOutcome, TaskJob } from './task-carrier.js';
import type { TaskSettings } from './task-options.js';

/** A run that can begin. */
export interface RunOfTool {
  readonly job: TaskJob;
  readonly lease: JobLease;
  readonly tool: BoundTool;
  readonly codec: Codec;
  readonly request: QueuedRequest;
}

/** One run of a tool's whole chain, from a job that was handed to this process. */
export class QueuedRun {
  constructor(
    private readonly run: RunOfTool,
    private readonly logger: Logger,
    private readonly settings: Pick<TaskSettings, 'maxResultBytes'>,
  ) {}

  async outcome(): Promise<JobOutcome> {
    const { lease, request } = this.run;
    // The queue aborts the signal wherever it learns that the task has ended, such as in the request that cancels it.
    const stop = AsyncLocalStorage.bind(() => request.cancel(lease.signal.reason));
    if (lease.signal.aborted) stop();
    lease.signal.addEventListener('abort', stop, { once: true });
    try {
      const outcome = await this.#attempt();
      if (outcome.is === 'asking') request.notes.flush();
      return outcome;
    } finally {
      request.notes.end();
      lease.signal.removeEventListener('abort', stop);
    }
  }

  async #attempt(): Promise<JobOutcome> {
    const { tool, job, request } = this.run;
    try {
      const result = await tool.run(request, job.arguments);
      if (result instanceof InputRequired)
        return { is: 'asking', questions: Object.fromEntries(result.pending) };
      return this.#ended(this.#completed(result), result._meta);
    } catch (thrown) {
      const error = thrown instanceof HiddenOperationError ? this.#notAllowed() : thrown;
      const { rpcCode, message, data } = errorForClient(error, this.logger);
      const shown = { code: rpcCode, message, ...(data && { data }) };
      return this.#ended({ status: 'failed', error: shown }, data);
    }
  }

  /** The caller knows the tool, because its task began. So an answer as for an unknown tool would only mislead. */
  #notAllowed(): ProtocolError {
    const { tool, lease, job } = this.run;
    const rule = isExcluded(tool, job)
      ? 'The option "for" of the tool'
      : 'authorize(), or a guard of a package,';
    this.logger.warn(
      { taskId: lease.taskId, tool: tool.name, option: 'tasks.claims' },
      `${rule} refuses a task that it has let begin. A queued task keeps only the claims of its caller that tasks.claims names: name the claims that the rule reads`,
    );
    return new ProtocolError(
      JsonRpcCode.internalError,
      `This server does not let the caller of this task use the tool "${tool.name}", so the task was not carried out. Either the caller has lost the right since the task began, or the server has not kept the claims that it decides by.`,
      { reason: 'not_allowed' },
    );
  }

  /** What the call of the tool brought, and whether the same job may succeed later. */
  #ended(ending: TaskEnding, meta: Readonly<Record<string, unknown>> | undefined): JobOutcome {
    const { failure } = this.run.request;
    if (!failure) return { is: 'ended', ending };
    if (failure.outcome === 'limited') {
      const wait = meta?.['retryAfterMs'];
      return { is: 'limited', afterMs: typeof wait === 'number' ? wait : RETRY_AFTER_MS.busy };
    }
    if (failure.outcome === 'error' && failure.isRetryable === true)
      return { is: 'failed', ending, reference: failure.reference };
    return { is: 'ended', ending, ...(failure.error instanceof UnknownStepError && { isDead: true }) };
  }

  /** This is exactly the answer that the call itself would have had, if it is not too large to be stored. */
  #completed(result: ToolResult): TaskEnding {
    const { codec, tool } = this.run;
    const { maxResultBytes } = this.settings;
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
