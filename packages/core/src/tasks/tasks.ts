import {
  RETRY_AFTER_MS,
  taskClientRequired,
  TASKS_EXTENSION,
  JsonRpcCode,
  ProtocolError,
  isToolwrightError,
} from '@toolwright/ground/base/errors/errors';
import type { ClientDescription, Principal } from '@toolwright/ground/base/request-context';
import { InputRequired } from '@toolwright/ground/call/context/rounds';
import { principalKey } from '@toolwright/ground/call/operation/keys';
import { exactName } from '@toolwright/ground/call/operation/names';
import type { BoundTool } from '@toolwright/ground/call/operation/operation';
import type { BootContext } from '@toolwright/ground/ports/boot-context';
import type { Clock } from '@toolwright/ground/ports/clock-and-ids';
import type { Logger } from '@toolwright/ground/ports/logger';
import type {
  QueueLoad,
  NewTask,
  TaskAdmin,
  TaskRecord,
  TaskStore,
} from '@toolwright/ground/ports/task-store';
import { endsWithin, readDigits, after, type MaybePromise } from '@toolwright/json';
import { randomBytes } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@toolwright/wire/json-rpc';
import type { ActiveRequest, TaskCalls } from '../requests/active-request.js';
import { BegunTask, type ProtocolHost, type TaskOutcome } from '../requests/engine.js';
import type { TaskSettings } from './task-options.js';
import { announceChange, TaskCall, type TaskTable, tooManyTasks } from './task-call.js';
import { QueueWatch, callOnQueue } from './queued-call.js';
import type { CarriedTask, TaskCarrier } from './task-carrier.js';

/** The tasks of one server (the extension `io.modelcontextprotocol/tasks`). */
export class Tasks implements TaskTable, TaskCalls {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly #settings: TaskSettings;
  readonly #watch: QueueWatch | undefined;
  /** The tasks that this process runs, all at the same time. */
  readonly #running = new Map<string, { readonly task: TaskCall; readonly over: Promise<void> }>();
  #unsubscribe: (() => void) | undefined;
  #wereOffered = false;

  /**
   * @param opened opens the store when it is first needed: most servers have no tasks. Each time it is the same one
   * @param queued present when a queue hands out the work. It has the same tasks as the store. Without it, this process does the
   *   work
   */
  constructor(
    private readonly host: ProtocolHost & {
      readonly boot: BootContext;
      readonly settings: { readonly tasks: TaskSettings };
    },
    private readonly opened: () => TaskStore,
    readonly queued: TaskCarrier | undefined,
  ) {
    this.#settings = host.settings.tasks;
    this.#watch =
      queued &&
      new QueueWatch(
        host.boot.bind(() => queued.load()),
        host,
      );
    this.clock = host.clock;
    this.logger = host.logger;
  }

  get store(): TaskStore {
    return this.opened();
  }

  /** True when some tool makes tasks, or did so earlier: clients may still ask for the old ones. */
  get areOffered(): boolean {
    return (this.#wereOffered ||= this.host.registry.tools
      .everything()
      .some(({ task }) => task !== undefined));
  }

  get isStopping(): boolean {
    return this.host.work.stop.hasBegun;
  }

  get areListed(): boolean {
    return this.store.list !== undefined;
  }

  /** Calls a tool. If the client can follow tasks, the call may become one. */
  call(request: ActiveRequest, tool: BoundTool, args: JsonObject): MaybePromise<TaskOutcome> {
    if (!declaresTasks(request.client)) return tool.run(request, args);
    return this.run(request, { tool, args, task: this.newTask(request.principal) });
  }

  /**
   * Calls a tool for a client that asked for a task (2025-11-25). It gets a task, whatever happens: a call that is
   * refused before its task begins becomes a task that has ended with the refusal.
   *
   * @throws {ProtocolError} -32601 when calls of this tool never become tasks
   */
  callAsTask(request: ActiveRequest, tool: BoundTool, args: JsonObject): MaybePromise<TaskOutcome> {
    const { additions, registry } = this.host;
    return after(
      () => additions.prepareUse(tool, request),
      () => {
        // A server without tasks answers the call at once, although the client asked for a task. A tool that is hidden from
        // the caller is refused as if it did not exist.
        if (!this.areOffered || !registry.visible(tool, request.principal)) return tool.run(request, args);
        if (tool.task) return this.#runAsTask(request, tool, args);
        const message = `The tool "${tool.name}" does not run as a task. Call it without "task".`;
        throw new ProtocolError(JsonRpcCode.methodNotFound, message);
      },
    );
  }

  async #runAsTask(request: ActiveRequest, tool: BoundTool, args: JsonObject): Promise<TaskOutcome> {
    const wished = withWishedLife(this.newTask(request.principal), request.params['task']);
    const outcome = await this.run(request, { tool, args, task: wished });
    if (outcome instanceof BegunTask || outcome instanceof InputRequired) return outcome;
    const task = await this.ask((store) => store.create({ ...wished, tool: exactName(tool) }));
    if (!task) throw new ProtocolError(JsonRpcCode.internalError, tooManyTasks().message);
    const result = readDigits(request.codec.toolResult(outcome, tool)) as JsonObject;
    await this.ask((store) => store.end(task.id, { status: 'completed', result }));
    return new BegunTask(task);
  }

  /** @throws {ProtocolError} -32021 when the client did not declare the extension */
  requireClient(client: ClientDescription): void {
    if (!declaresTasks(client)) throw taskClientRequired();
  }

  /** What a new task of this caller is kept as. */
  newTask(principal: Principal | undefined): NewTask & Pick<CarriedTask, 'party'> {
    const { ttl: ttlMs, pollInterval: pollIntervalMs } = this.#settings;
    // Where callers are anonymous, anyone who knows the id counts as the owner.
    const id = randomBytes(24).toString('base64url');
    const { tenant } = principal ?? {};
    return {
      id,
      owner: principalKey(principal),
      ttlMs,
      pollIntervalMs,
      // All users of a tenant have their turns together.
      ...(tenant !== undefined && { party: `tenant ${tenant}` }),
    };
  }

  /** Calls a tool for a client that can follow tasks. */
  run(
    request: ActiveRequest,
    call: { tool: BoundTool; args: JsonObject; task: NewTask },
  ): Promise<TaskOutcome> {
    const { queued: carrier, host } = this;
    const { tool, args, task } = call;
    if (!carrier) return new TaskCall(this, request, tool, task).run(args);
    return callOnQueue({ carrier, host, claims: this.#settings.claims }, request, call);
  }

  /**
   * Asks the store for a request.
   *
   * @throws {ProtocolError} with a time, when the store is away: over HTTP with status 503 and `Retry-After`
   */
  async ask<T>(ask: (store: TaskStore) => MaybePromise<T>): Promise<T> {
    try {
      return await ask(this.store);
    } catch (error) {
      throw isUnavailable(error) ? storeAway() : error;
    }
  }

  /** The task, if it belongs to this caller. */
  async find(id: string, principal: Principal | undefined): Promise<TaskRecord | undefined> {
    const task = await this.ask((store) => store.get(id));
    return task?.owner === principalKey(principal) ? task : undefined;
  }

  async answer(id: string, answers: JsonObject): Promise<void> {
    if (await this.ask((store) => store.answer(id, answers))) await this.#changed(id);
  }

  async fail(id: string, error: { code: number; message: string }): Promise<void> {
    if (await this.ask((store) => store.end(id, { status: 'failed', error }))) await this.#changed(id);
  }

  async cancel(id: string): Promise<void> {
    if (await this.ask((store) => store.end(id, { status: 'cancelled' }))) await this.#changed(id);
  }

  /** How much work there is, if a queue hands it out; `undefined` while the queue does not answer. */
  load(): Promise<QueueLoad | undefined> | undefined {
    return this.#watch?.read();
  }

  /** The tasks of all owners, for an operator. `undefined` when the store does not show them. */
  admin(by: string): Required<TaskAdmin> | undefined {
    const admin = this.store.admin?.(by);
    if (!admin) return undefined;
    const cancel = (id: string) =>
      admin.cancel ? admin.cancel(id) : this.store.end(id, { status: 'cancelled' });
    return {
      list: (limit) => admin.list(limit),
      cancel: async (id) => {
        const isCancelled = await cancel(id);
        if (isCancelled) await this.#changed(id);
        return isCancelled;
      },
      retry: (id) => admin.retry?.(id),
    };
  }

  /**
   * Waits for the running tasks. Tasks that wait for their client are stopped at once, because nobody could
   * answer.
   *
   * @returns false when other tasks had to be stopped after `graceMs`
   */
  async drain(graceMs: number): Promise<boolean> {
    if (this.queued) return this.queued.drain(graceMs);
    const running = [...this.#running.values()];
    const isOver = endsWithin(graceMs, this.clock, Promise.all(running.map(({ over }) => over)));
    const waiting = running.filter(({ task }) => task.request.input.isWaiting);
    await Promise.all(waiting.map(({ task }) => task.stop()));
    if (await isOver) return true;
    await Promise.all([...this.#running.values()].map(({ task }) => task.stop()));
    return false;
  }

  enter(task: TaskCall): void {
    this.#running.set(task.taskId, { task, over: task.execute() });
    this.#unsubscribe ??= this.host.bus.subscribe((event) => {
      if (event.type === 'taskChanged') void this.#refresh(event.taskId);
      else if (event.type === 'eventsMissed') for (const id of this.#running.keys()) void this.#refresh(id);
    });
    this.tell(task.taskId);
  }

  leave(task: TaskCall): void {
    this.#running.delete(task.taskId);
    if (this.#running.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  tell(taskId: string): void {
    announceChange(this.host, taskId);
  }

  /** This process hears of it without the bus, which may not work. Other processes hear of it through the bus. */
  async #changed(taskId: string): Promise<void> {
    await (this.queued ? this.queued.refresh(taskId) : this.#refresh(taskId));
    this.tell(taskId);
  }

  async #refresh(taskId: string): Promise<void> {
    try {
      await this.#running.get(taskId)?.task.refresh();
    } catch (err) {
      this.logger.error({ err, taskId }, 'A task could not be read');
    }
  }
}

/** The client may ask for a shorter life of its task. */
function withWishedLife(task: NewTask, wish: unknown): NewTask {
  const ttl = isJsonObject(wish) ? wish['ttl'] : undefined;
  if (typeof ttl !== 'number' || !(ttl > 0)) return task;
  return { ...task, ttlMs: Math.min(Math.ceil(ttl), task.ttlMs ?? Number.POSITIVE_INFINITY) };
}

/** Stores say so by their code, such as `TW_POSTGRES_UNAVAILABLE`. */
function isUnavailable(error: unknown): boolean {
  return isToolwrightError(error) && error.code.endsWith('_UNAVAILABLE');
}

function storeAway(): ProtocolError {
  const message = `The store of the tasks is away right now, so this server cannot say how the task is, nor change it. The task is not lost. Try again in ${RETRY_AFTER_MS.away / 1_000} s.`;
  const data = { code: 'TW_TASKS_DOWN', retryAfterMs: RETRY_AFTER_MS.away };
  return new ProtocolError(JsonRpcCode.internalError, message, data);
}

function declaresTasks({ capabilities: { extensions } }: ClientDescription): boolean {
  return (
    isJsonObject(extensions) &&
    Object.hasOwn(extensions, TASKS_EXTENSION) &&
    isJsonObject(extensions[TASKS_EXTENSION])
  );
}
