import { JsonRpcCode, ProtocolError } from '@toolwright/ground/base/errors/errors';
import type { ClientMethod } from '@toolwright/ground/base/request-context';
import { principalKey } from '@toolwright/ground/call/operation/keys';
import type { BoundTool } from '@toolwright/ground/call/operation/operation';
import type { TaskQuestion, TaskRecord } from '@toolwright/ground/ports/task-store';
import { type JsonSchema, numbersInPlace, present } from '@toolwright/json';
import { isJsonObject, metaKeys } from '@toolwright/wire/json-rpc';
import { invalidParams, methodNotFound } from '@toolwright/wire/protocol-errors';
import type { ActiveRequest, MethodHandler, MethodHandlers } from '../requests/active-request.js';
import { invalidCursor } from '../requests/lists/list-pages.js';
import type { Tasks } from './tasks.js';

/** The methods of tasks, of the extension and of revision 2025-11-25, where clients ask for tasks. */
export const taskHandlers = (tasks: Tasks) =>
  ({
    'tasks/get': get(tasks),
    'tasks/update': update(tasks),
    'tasks/cancel': cancel(tasks),
    'tasks/list': list(tasks),
    'tasks/result': result(tasks),
  }) satisfies MethodHandlers;

/** Returns the state of a task; with the extension also its result, its error or its open questions. */
const get = (tasks: Tasks): MethodHandler => ({
  async handle(request) {
    const { codec } = request;
    return codec.result(codec.task(taskToSend(await authorizeTask(request, tasks), request)));
  },
});

/** Answers questions of a task. An answer without a question is ignored. */
const update = (tasks: Tasks): MethodHandler => ({
  async handle(request) {
    const { id } = await authorizeTask(request, tasks);
    const { inputResponses } = request.params;
    if (!isJsonObject(inputResponses)) throw invalidParams('"inputResponses" must be an object.');
    await tasks.answer(id, inputResponses);
    return request.codec.result({});
  },
});

/**
 * Ends a task. With the extension, a task that has already ended stays as it is; on 2025-11-25 that is an error, and
 * the answer is the task.
 */
const cancel = (tasks: Tasks): MethodHandler => ({
  async handle(request) {
    const { codec, principal } = request;
    const { id, ending } = await authorizeTask(request, tasks);
    if (!codec.features.requestedTasks) {
      await tasks.cancel(id);
      return codec.result({});
    }
    if (!ending) await tasks.cancel(id);
    const task = await tasks.find(id, principal);
    if (ending || task?.status !== 'cancelled') throw invalidParams('The task has already ended.');
    return codec.result(codec.task(task));
  },
});

const list = (tasks: Tasks): MethodHandler => ({
  async handle({ method, codec, params, principal }) {
    const { store } = tasks;
    // All anonymous callers are one owner: a list would show everybody the ids of all.
    if (!tasks.areOffered || !principal || !store.list) throw methodNotFound(method);
    const { cursor } = params;
    if (cursor !== undefined && typeof cursor !== 'string') throw invalidCursor();
    const owner = principalKey(principal);
    const page = await tasks.ask(() => store.list!(owner, cursor));
    if (!page) throw invalidCursor();
    const { next } = page;
    return codec.result(present({ tasks: page.tasks.map((task) => codec.task(task)), nextCursor: next }));
  },
});

/** Waits for the end of a task, and returns what its call would have returned. */
const result = (tasks: Tasks): MethodHandler => ({
  async handle(request) {
    const { id } = await authorizeTask(request, tasks);
    const { ending } = taskToSend(await waitForEnd(request, tasks, id), request);
    if (ending?.status === 'completed') {
      const meta = { ...(ending.result['_meta'] as object), [metaKeys.relatedTask]: { taskId: id } };
      return request.codec.result({ ...ending.result, _meta: meta });
    }
    if (ending?.status === 'failed') {
      const { code, message, data } = ending.error;
      throw new ProtocolError(code, message, data);
    }
    throw new ProtocolError(JsonRpcCode.internalError, 'The task was cancelled.');
  },
});

/**
 * The task that a request names. A task of another caller is treated like one that never existed.
 *
 * @throws {ProtocolError} -32021 for clients without the extension, -32602 for tasks that are unknown or
 *   expired
 */
async function authorizeTask(request: ActiveRequest, tasks: Tasks): Promise<TaskRecord> {
  const { method, params, codec, client, principal } = request;
  if (!tasks.areOffered) throw methodNotFound(method);
  if (codec.features.tasks) tasks.requireClient(client);
  const { taskId } = params;
  if (typeof taskId !== 'string') throw invalidParams('"taskId" must be a string.');
  const task = await tasks.ask((store) => store.get(taskId));
  if (task?.owner === principalKey(principal)) {
    request.isAbout(toolOf(task, request));
    return task;
  }
  if (task) request.refusal = { reason: 'TW_TASK_UNKNOWN', detail: 'foreign' };
  throw invalidParams('There is no such task. It may have expired.');
}

/**
 * A task as its client gets it. Its result was kept with the digits of long integers as text, because a store may round numbers.
 * A client checks them with the schema that it was sent, so they are numbers again where that takes nothing else.
 */
export function taskToSend(task: TaskRecord, request: ActiveRequest): TaskRecord {
  const { ending } = task;
  if (ending?.status !== 'completed') return task;
  const { structuredContent } = ending.result;
  const sent = numbersInPlace(structuredContent, () => {
    const tool = toolOf(task, request);
    return tool && (request.codec.tool(tool)['outputSchema'] as JsonSchema | undefined);
  });
  if (sent === structuredContent) return task;
  return { ...task, ending: { ...ending, result: { ...ending.result, structuredContent: sent } } };
}

/** The tool whose call has become a task; `undefined` if it is gone, or if the store has not kept its name. */
function toolOf({ tool }: TaskRecord, { engine, principal }: ActiveRequest): BoundTool | undefined {
  const { registry } = engine.host;
  const candidates = tool === undefined ? [] : registry.tools.candidates(tool);
  return candidates.length > 1
    ? (candidates.find((each) => registry.visible(each, principal)) ?? candidates[0])
    : candidates[0];
}

/** How many questions of one task a single request asks. A client that answers nonsense is asked again and again. */
const MOST_QUESTIONS = 100;

/**
 * Waits until a task has ended. Meanwhile it asks the client what the task wants to know: on 2025-11-25 the stream
 * of `tasks/result` is where questions of a task go.
 *
 * @throws {ProtocolError} when the task expires, and when this process stops
 */
async function waitForEnd(request: ActiveRequest, tasks: Tasks, taskId: string): Promise<TaskRecord> {
  const { cancellation } = request;
  const { host, traffic } = request.engine;
  const asked = new Set<string>();
  let wake: () => void = () => undefined;
  const unsubscribe = host.bus.subscribe((event) => {
    if (event.type === 'eventsMissed' || (event.type === 'taskChanged' && event.taskId === taskId)) wake();
  });
  const observer = { cancel: () => wake() };
  cancellation.watch(observer);
  const unwatchStop = host.work.stop.watch(() => wake());
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
        void askClient(request, tasks, { taskId, key, question });
      }
      // The bus may not reach the process that does the work.
      const stopClock = host.clock.after(task.pollIntervalMs, () => wake());
      await changed;
      stopClock();
    }
  } finally {
    unsubscribe();
    cancellation.unwatch(observer);
    unwatchStop();
  }
}

/** It never rejects. */
async function askClient(
  request: ActiveRequest,
  tasks: Tasks,
  { taskId, key, question }: { taskId: string; key: string; question: TaskQuestion },
): Promise<void> {
  const { host } = request.engine;
  const { method, params } = question;
  const related = { ...params, _meta: { [metaKeys.relatedTask]: { taskId } } };
  try {
    const answer = await request.input.ask(key, method as ClientMethod, related).catch((error: unknown) => {
      // The next request for the result asks the client again, perhaps at another process.
      if (request.cancellation.aborted || host.work.stop.hasBegun) return undefined;
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
