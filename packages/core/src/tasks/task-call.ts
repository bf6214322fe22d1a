import { type ToolResult, isHarmlessTwice } from '@toolwright/ground/base/content';
import { JsonRpcCode, ToolError } from '@toolwright/ground/base/errors/errors';
import type { ClientInput, Principal } from '@toolwright/ground/base/request-context';
import { InputRequired } from '@toolwright/ground/call/context/rounds';
import { exactName } from '@toolwright/ground/call/operation/names';
import type { BoundTool } from '@toolwright/ground/call/operation/operation';
import type { Clock } from '@toolwright/ground/ports/clock-and-ids';
import type { Logger } from '@toolwright/ground/ports/logger';
import type {
  NewTask,
  TaskEnding,
  TaskQuestion,
  TaskRecord,
  TaskStore,
} from '@toolwright/ground/ports/task-store';
import { readDigits } from '@toolwright/json';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { JsonObject } from '@toolwright/wire/json-rpc';
import { errorForClient } from '@toolwright/wire/reply';
import type { ActiveRequest } from '../requests/active-request.js';
import { StatelessInput, NOTHING } from '../requests/client-questions.js';
import { BegunTask, type ProtocolHost } from '../requests/engine.js';
import type { TaskJob } from './task-carrier.js';
import { TaskRequest, type TaskInput } from './task-request.js';

/** A call that becomes a task. */
interface BecomingTask {
  readonly taskId: string;
  readonly request: ActiveRequest;
  readonly tool: BoundTool;
  readonly args: JsonObject;
  readonly input: TaskInput;
  /** The names of the claims that a job may hold. */
  readonly claims: readonly string[];
}

/** The work of a call as data. */
export function describeJob({ taskId, request, tool, args, input, claims }: BecomingTask): TaskJob {
  const { codec } = request;
  const { client, trace, transport, ip } = request;
  const { answers, memories } = roundOf(request.input);
  const principal = withoutClaims(request.principal, claims);
  const unkeptClaims = Object.keys(request.principal?.claims ?? {}).filter((name) => !claims.includes(name));
  return {
    taskId,
    tool: exactName(tool),
    arguments: args,
    principal,
    ...(unkeptClaims.length > 0 && { unkeptClaims }),
    contract: tool.contract,
    revision: codec.revision,
    client,
    trace,
    transport,
    ...(ip !== undefined && { ip }),
    answers: Object.fromEntries([...answers, ...input.given]),
    memories: Object.fromEntries([...memories, ...input.memories]),
  };
}

/** What earlier rounds of the call have brought. */
function roundOf(input: ClientInput): Pick<StatelessInput, 'answers' | 'memories'> {
  return input instanceof StatelessInput ? input : { answers: NOTHING, memories: NOTHING };
}

/** The caller, with only the named claims. */
function withoutClaims(principal: Principal | undefined, names: readonly string[]): Principal | undefined {
  if (!principal) return undefined;
  const { issuer, subject, clientId, tenant, scopes, claims = {} } = principal;
  const kept = Object.entries(claims).filter(([name]) => names.includes(name));
  return {
    ...(issuer !== undefined && { issuer }),
    subject,
    ...(clientId !== undefined && { clientId }),
    ...(tenant !== undefined && { tenant }),
    scopes,
    ...(kept.length > 0 && { claims: Object.fromEntries(kept) }),
  };
}

export function tooManyTasks(): ToolError {
  return new ToolError('There are too many tasks. Wait until some have expired.', { code: 'TW_TASKS_FULL' });
}

/** A call of a tool that may become a task. When it is one, this is also the task's work. */
export class TaskCall {
  readonly request: TaskRequest;
  #outcome!: Promise<ToolResult | InputRequired>;
  #begun!: (task: BegunTask) => void;
  #isOver = false;
  /**
   * Ends the method in the context of its own call: it must not run in the context of the caller that cancels the
   * task.
   */
  #cancel!: (reason: DOMException) => void;

  constructor(
    private readonly table: TaskTable,
    private readonly caller: ActiveRequest,
    private readonly tool: BoundTool,
    private readonly task: NewTask,
  ) {
    this.request = new TaskRequest(caller, {
      isQueued: false,
      begin: () => this.#begin(),
      note: (message) => void this.#store((store) => store.note(this.taskId, message)),
    });
  }

  get taskId(): string {
    return this.task.id;
  }

  /** Returns the result, or the task as soon as the call has become one. */
  async run(args: JsonObject): Promise<ToolResult | InputRequired | BegunTask> {
    const begun = new Promise<BegunTask>((resolve) => (this.#begun = resolve));
    this.#outcome = (async () => this.tool.run(this.request, args))();
    try {
      return await Promise.race([begun, this.#outcome]);
    } finally {
      this.request.release();
    }
  }

  /** Does the work and stores how it ended. It never rejects. */
  async execute(): Promise<void> {
    const { ttlMs } = this.task;
    const expire = () => this.#cancel(new DOMException('The task has expired.', 'TimeoutError'));
    const stopClock = ttlMs === null ? undefined : this.table.clock.after(ttlMs, expire);
    const ending = await this.#ending();
    this.#isOver = true;
    stopClock?.();
    await this.#store((store) => store.end(this.taskId, ending));
    this.table.leave(this);
  }

  /** Records that the task failed because the server stops, and asks the work to end. */
  async stop(): Promise<void> {
    const advice = isHarmlessTwice(this.tool.annotations)
      ? 'It is safe to begin it again.'
      : 'It may have taken effect in part; check before you begin it again.';
    const message = `The server stopped before the task was done. ${advice}`;
    const error = { code: JsonRpcCode.internalError, message };
    await this.#store((store) => store.end(this.taskId, { status: 'failed', error }));
    this.#cancel(new DOMException(error.message, 'AbortError'));
  }

  /** Reads from the store what others did to the task: answers, or a cancellation. */
  async refresh(): Promise<void> {
    const task = await this.table.store.get(this.taskId);
    if (this.#isOver) return;
    if (!task || task.ending) this.#cancel(new DOMException('The task was cancelled.', 'AbortError'));
    else this.request.input.deliver(task.answers);
  }

  async #begin(): Promise<void> {
    this.#cancel = AsyncLocalStorage.bind((reason) => this.request.cancel(reason));
    const task: TaskRecord | undefined = await this.table.store.create({
      ...this.task,
      tool: exactName(this.tool),
    });
    if (!task) throw tooManyTasks();
    this.request.input.open((key, question) => this.#ask(key, question));
    this.table.enter(this);
    this.#begun(new BegunTask(task));
  }

  /** @returns false when nobody can answer any more */
  async #ask(key: string, question: TaskQuestion): Promise<boolean> {
    if (!this.table.isStopping) return this.#store((store) => store.ask(this.taskId, key, question));
    await this.stop();
    return false;
  }

  async #ending(): Promise<TaskEnding> {
    const { codec } = this.caller;
    try {
      const outcome = await this.#outcome;
      if (outcome instanceof InputRequired)
        throw new Error('A task asked a question that it could not wait for.');
      // This is exactly the answer that the call itself would have had.
      return { status: 'completed', result: readDigits(codec.toolResult(outcome, this.tool)) as JsonObject };
    } catch (error) {
      const { rpcCode, message, data } = errorForClient(error, this.table.logger);
      return { status: 'failed', error: { code: rpcCode, message, ...(data && { data }) } };
    }
  }

  /** Changes the task and tells the listeners. @returns false when the task could not be changed any more */
  async #store(change: (store: TaskTable['store']) => boolean | Promise<boolean>): Promise<boolean> {
    try {
      const isChanged = await change(this.table.store);
      if (isChanged) this.table.tell(this.taskId);
      return isChanged;
    } catch (err) {
      this.table.logger.error({ err, taskId: this.taskId }, 'A task could not be stored');
      return false;
    }
  }
}

/** What a task shares with the other tasks of its server. */
export interface TaskTable {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** True when the server stops: a task that waits for its client ends. */
  readonly isStopping: boolean;
  enter(task: TaskCall): void;
  leave(task: TaskCall): void;
  /** Announces that a task has changed. */
  tell(taskId: string): void;
}

/** Says that a task has changed, to this process and to the others. A bus that fails is logged. */
export function announceChange({ bus, logger }: Pick<ProtocolHost, 'bus' | 'logger'>, taskId: string): void {
  void (async () => bus.publish({ type: 'taskChanged', taskId }))().catch((err: unknown) =>
    logger.error({ err, taskId }, 'A change could not be published'),
  );
}
