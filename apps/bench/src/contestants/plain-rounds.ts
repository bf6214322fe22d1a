import { randomUUID } from 'node:crypto';
import { BOOK_QUESTION, TASK_TTL } from './work.js';

/** What `book` answers until its question has an answer. The state proves nothing: a plain server trusts its client. */
export const plainQuestion = {
  resultType: 'input_required',
  inputRequests: {
    [BOOK_QUESTION.key]: {
      method: 'elicitation/create',
      params: {
        message: BOOK_QUESTION.message,
        requestedSchema: {
          type: 'object',
          properties: { count: { type: 'integer', minimum: 1 } },
          required: ['count'],
        },
      },
    },
  },
  requestState: 'asked',
};

/** Tasks that are finished as soon as they begin, kept as long as those of the others. */
export function plainTasks(result: object) {
  const kept = new Map<string, object>();
  const describe = (taskId: string, status: string) => {
    const now = new Date().toISOString();
    return { taskId, status, createdAt: now, lastUpdatedAt: now, ttlMs: TASK_TTL, pollIntervalMs: 1000 };
  };
  return {
    begin: () => {
      const taskId = randomUUID();
      kept.set(taskId, { ...describe(taskId, 'completed'), result });
      setTimeout(() => kept.delete(taskId), TASK_TTL).unref();
      return { resultType: 'task', ...describe(taskId, 'working') };
    },
    get: (taskId: string) => kept.get(taskId)!,
  };
}
