import { JsonRpcCode } from '../../../base/errors/protocol-error.js';
import { Seal } from '../../../base/seal.js';
import type { TaskEnding, TaskQuestion } from '../../../ports/task-store.js';
import { isJsonObject, type JsonObject } from '../../messages/json-rpc.js';

/** Seals the parts of one task. A part of one task or kind is none of another. */
export interface TaskSeal {
  seal(part: string, value: unknown): string;
  /** `undefined`: nobody with these secrets has sealed it for this place. */
  open(part: string, text: unknown): unknown;
}

/**
 * Makes the seal of each task. What a client gets or gives is also bound to the owner of the task: whoever can write
 * to the database can make somebody else the owner of a row, but that one cannot open what was sealed for the first.
 * The job and the steps have no owner: workers find the owner in the job.
 */
export type TaskSeals = (taskId: string, owner?: string) => TaskSeal;

/** @param server servers may share their secrets, but a task of one is not a task of another */
export function taskSeals(secrets: readonly string[], server: string): TaskSeals {
  const seal = new Seal(secrets, 'task');
  return (taskId, owner) => {
    const whose = JSON.stringify(owner === undefined ? [server, taskId] : [server, taskId, owner]);
    const place = (part: string) => `${whose} ${part}`;
    return {
      seal: (part, value) => seal.seal(value, place(part)),
      open: (part, text) => (typeof text === 'string' ? seal.open(text, place(part)) : undefined),
    };
  };
}

export function sealQuestion(seal: TaskSeal, key: string, { method, params }: TaskQuestion): TaskQuestion {
  return { method, params: { sealed: seal.seal(`question ${key}`, params) } };
}

export function sealEnding(seal: TaskSeal, ending: TaskEnding): TaskEnding {
  if (ending.status !== 'completed') return ending;
  return { status: 'completed', result: { sealed: seal.seal('result', ending.result) } };
}

/** An answer that cannot be opened counts as none: the question is asked again. */
export function openAnswers(seal: TaskSeal, answers: Readonly<Record<string, unknown>>): JsonObject {
  const opened = Object.entries(answers).map(([key, text]) => [key, seal.open(`answer ${key}`, text)]);
  return Object.fromEntries(opened.filter(([, value]) => value !== undefined)) as JsonObject;
}

export function openQuestions(
  seal: TaskSeal,
  questions: Readonly<Record<string, TaskQuestion>>,
): Record<string, TaskQuestion> {
  const opened = Object.entries(questions).flatMap(([key, { method, params }]) => {
    const asked = seal.open(`question ${key}`, params['sealed']);
    return isJsonObject(asked) ? [[key, { method, params: asked }] as const] : [];
  });
  return Object.fromEntries(opened);
}

export function openEnding(seal: TaskSeal, ending: TaskEnding): TaskEnding {
  if (ending.status !== 'completed') return ending;
  const result = seal.open('result', ending.result['sealed']);
  if (isJsonObject(result)) return { status: 'completed', result };
  const message = 'The task was done, but this server cannot read its result any more.';
  const data = { reason: 'result_unreadable' };
  return { status: 'failed', error: { code: JsonRpcCode.internalError, message, data } };
}
