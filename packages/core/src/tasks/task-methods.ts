import { JsonRpcCode, ProtocolError } from '../base/errors/errors.js';
import type { ClientMethod } from '../base/request-context.js';
import type { TaskQuestion, TaskRecord } from '../ports/task-store.js';
import type { Invocation, Method } from '../requests/engine.js';
import { invalidCursor } from '../requests/lists/list-pages.js';
import { principalKey } from '../requests/quota-pool.js';
import { metaKeys } from '../wire/envelope.js';
import { isJsonObject } from '../wire/json-rpc.js';
import { invalidParams, methodNotFound } from '../wire/protocol-errors.js';
import { describeRequestedTask } from '../wire/stateful-codec.js';
import { describeTask } from '../wire/stateless-codec.js';
import { requireTaskClient } from './tasks.js';

/** Returns the state of a task, with its result, its error or its open questions. */
export const tasksGet: Method = {
  name: 'tasks/get',
  calls: { operation: 'task', parameter: 'taskId' },
  async handle(invocation) {
    return invocation.codec.result(describeTask(await authorizeTask(invocation, 'tasks/get')));
  },
};

/** Answers questions of a task. An answer without a question is ignored. */
export const tasksUpdate: Method = {
  name: 'tasks/update',
  calls: { operation: 'task', parameter: 'taskId' },
  async handle(invocation) {
    const { engine, codec, params } = invocation;
    const { id } = await authorizeTask(invocation, 'tasks/update');
    const { inputResponses } = params;
    if (!isJsonObject(inputResponses)) throw invalidParams('"inputResponses" must be an object.');
    await engine.tasks.answer(id, inputResponses);
    return codec.result({});
  },
};

/** Ends a task. A task that has already ended stays as it is. */
export const tasksCancel: Method = {
  name: 'tasks/cancel',
  calls: { operation: 'task', parameter: 'taskId' },
  async handle(invocation) {
    const { engine, codec } = invocation;
    const { id } = await authorizeTask(invocation, 'tasks/cancel');
    await engine.tasks.cancel(id);
    return codec.result({});
  },
};

const calls = { operation: 'task', parameter: 'taskId' } as const;

const get: Method = {
  name: 'tasks/get',
  calls,
  async handle(invocation) {
    return invocation.codec.result(describeRequestedTask(await authorizeTask(invocation, 'tasks/get')));
  },
};

const cancel: Method = {
  name: 'tasks/cancel',
  calls,
  async handle(invocation) {
    const { engine, codec, request } = invocation;
    const { tasks } = engine;
    const { id, ending } = await authorizeTask(invocation, 'tasks/cancel');
    if (!ending) await tasks.cancel(id);
    const task = await tasks.find(id, request.principal);
    if (ending || task?.status !== 'cancelled') throw invalidParams('The task has already ended.');
    return codec.result(describeRequestedTask(task));
  },
};

const list: Method = {
  name: 'tasks/list',
  calls: { operation: 'task' },
  async handle({ engine, codec, params, request }) {
    const { tasks } = engine;
    const { store } = tasks;
    // All anonymous callers are one owner: a list would show everybody the ids of all.
    const isOffered = codec.features.requestedTasks && tasks.areOffered && request.principal && store.list;
    if (!isOffered) throw methodNotFound('tasks/list');
    const { cursor } = params;
    if (cursor !== undefined && typeof cursor !== 'string') throw invalidCursor();
    const owner = principalKey(request.principal);
    const page = await tasks.ask(() => store.list!(owner, cursor));
    if (!page) throw invalidCursor();
    const { next } = page;
    return codec.result({
      tasks: page.tasks.map(describeRequestedTask),
      ...(next !== undefined && { nextCursor: next }),
    });
  },
};

/** Waits for the end of a task, and returns what its call would have returned. */
const result: Method = {
  name: 'tasks/result',
  calls,
  async handle(invocation) {
    const { id } = await authorizeTask(invocation, 'tasks/result');
    const { ending } = await waitForEnd(invocation, id);
    if (ending?.status === 'completed') {
      const meta = { ...(ending.result['_meta'] as object), [metaKeys.relatedTask]: { taskId: id } };
      return invocation.codec.result({ ...ending.result, _meta: meta });
    }
    if (ending?.status === 'failed') {
      const { code, message, data } = ending.error;
      throw new ProtocolError(code, message, data);
    }
    throw new ProtocolError(JsonRpcCode.internalError, 'The task was cancelled.');
  },
};

/** The tasks of revision 2025-11-25, which clients ask for. */
export const requestedTaskMethods: readonly Method[] = [get, cancel, list, result];

/**
 * The task that a request names. A task of another caller is treated like one that never existed.
 *
 * @throws {ProtocolError} -32021 for clients without the extension, -32602 for tasks that are unknown or
 *   expired
 */
async function authorizeTask(
  { engine, params, request, codec }: Invocation,
  method: string,
): Promise<TaskRecord> {
  const { tasks, requestedTasks } = codec.features;
  if (!engine.tasks.areOffered || !(tasks || requestedTasks)) throw methodNotFound(method);
  if (tasks) requireTaskClient(request.client);
  const { taskId } = params;
  if (typeof taskId !== 'string') throw invalidParams('"taskId" must be a string.');
  const task = await engine.tasks.find(taskId, request.principal);
  if (task) return task;
  const isForeign = await engine.tasks.isForeign(taskId, request.principal);
  if (isForeign) request.refusal = { reason: 'TW_TASK_UNKNOWN', detail: 'foreign' };
  throw invalidParams('There is no such task. It may have expired.');
}

/** How many questions of one task a single request asks. A client that answers nonsense is asked again and again. */
const MOST_QUESTIONS = 100;

/**
 * Waits until a task has ended. Meanwhile it asks the client what the task wants to know: on 2025-11-25 the stream
 * of `tasks/result` is where questions of a task go.
 *
 * @throws {ProtocolError} when the task expires, and when this process stops
 */
async function waitForEnd(invocation: Invocation, taskId: string): Promise<TaskRecord> {
  const { engine, request } = invocation;
  const { host, tasks, traffic } = engine;
  const { cancellation } = request;
  const asked = new Set<string>();
  let wake: () => void = () => undefined;
  const unsubscribe = host.bus.subscribe((event) => {
    if (event.type === 'eventsMissed' || (event.type === 'taskChanged' && event.taskId === taskId)) wake();
  });
  const observer = { cancel: () => wake() };
  cancellation.watch(observer);
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => (wake = resolve));
      const task = await tasks.find(taskId, request.principal);
      if (cancellation.aborted) throw cancellation.reason;
      if (!task) throw invalidParams('There is no such task any more. It has expired.');
      if (task.ending) return task;
      if (traffic.draining && tasks.queued) throw stopping();
      for (const [key, question] of Object.entries(task.questions)) {
        if (asked.has(key) || asked.size >= MOST_QUESTIONS) continue;
        asked.add(key);
        void askClient(invocation, taskId, { key, question });
      }
      // The bus may not reach the process that does the work.
      const stopClock = host.clock.after(task.pollIntervalMs, () => wake());
      await changed;
      stopClock();
    }
  } finally {
    unsubscribe();
    cancellation.unwatch(observer);
  }
}

/** It never rejects. */
async function askClient(
  { engine, request }: Invocation,
  taskId: string,
  { key, question }: { key: string; question: TaskQuestion },
): Promise<void> {
  const { tasks, host } = engine;
  const { method, params } = question;
  const related = { ...params, _meta: { [metaKeys.relatedTask]: { taskId } } };
  try {
    const answer = await request.input.ask(key, method as ClientMethod, related).catch((error: unknown) => {
      // Whoever asks for the result next is asked again.
      if (request.cancellation.aborted) return undefined;
      if (method === 'elicitation/create') return { action: 'cancel' };
      throw error;
    });
    if (answer) await tasks.answer(taskId, { [key]: answer });
  } catch (error) {
    const message = `The client could not answer a question of this task: ${(error as Error).message}`;
    await tasks
      .fail(taskId, { code: JsonRpcCode.internalError, message })
      .catch((err: unknown) => host.logger.error({ err, taskId }, 'A task could not be stored'));
  }
}

function stopping(): ProtocolError {
  return new ProtocolError(
    JsonRpcCode.internalError,
    'This process is stopping, and the task goes on. Ask for its result again.',
    { retryAfterMs: 1_000 },
  );
}
