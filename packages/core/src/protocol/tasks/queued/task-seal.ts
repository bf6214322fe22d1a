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

/** Makes the seal of each task. */
export type TaskSeals = (taskId: string) => TaskSeal;

/** @param server servers may share their secrets, but a task of one is not a task of another */
export function taskSeals(secrets: readonly string[], server: string): TaskSeals {
  const seal = new Seal(secrets, 'task');
  return (taskId) => {
    const place = (part: string) => `${JSON.stringify([server, taskId])} ${part}`;
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
