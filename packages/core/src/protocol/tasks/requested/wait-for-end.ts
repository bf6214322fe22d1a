import { JsonRpcCode, ProtocolError } from '../../../base/errors/errors.js';
import type { ClientMethod } from '../../../base/request-context.js';
import type { TaskQuestion, TaskRecord } from '../../../ports/task-store.js';
import type { Invocation } from '../../engine.js';
import { metaKeys } from '../../messages/meta-keys.js';
import { invalidParams } from '../../messages/protocol-errors.js';

/** How many questions of one task a single request asks. A client that answers nonsense is asked again and again. */
const MOST_QUESTIONS = 100;

/**
 * Waits until a task has ended. Meanwhile it asks the client what the task wants to know: on 2025-11-25 the stream
 * of `tasks/result` is where questions of a task go.
 *
 * @throws {ProtocolError} when the task expires, and when this process stops
 */
export async function waitForEnd(invocation: Invocation, taskId: string): Promise<TaskRecord> {
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
