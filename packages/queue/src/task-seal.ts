import { JsonRpcCode } from '@toolwright/core';
import { Seal } from '@toolwright/core/extend';
import type { Logger, TaskEnding, TaskQuestion, TaskRecord } from '@toolwright/core/ports';
import { isObject, present } from '@toolwright/json';

/** Seals the parts of one task. A part of one task or kind cannot be used for another. */
export interface TaskSeal {
  seal(part: string, value: unknown): string;
  /** `undefined`: nobody with these secrets has sealed it for this place. */
  open(part: string, text: unknown): unknown;
}

/**
 * Makes the seal of each task. What a client gets or gives is also bound to the owner of the task: an attacker who
 * can write to the database can change the owner of a row, but the new owner cannot open what was sealed for the
 * first one. The job and the steps have no owner: workers find the owner in the job.
 */
export type TaskSeals = (taskId: string, owner?: string) => TaskSeal;

/** @param server servers may share their secrets, but a task of one is not a task of another */
export function taskSeals(secrets: readonly string[], server: string, logger?: Logger): TaskSeals {
  const seal = new Seal(secrets, 'task', { logger });
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

/** What the database shows in place of an error. */
const SEALED_ERROR = 'The error of this task is sealed.';

/** A cancelled task holds no text. */
export function sealEnding(seal: TaskSeal, ending: TaskEnding): TaskEnding {
  switch (ending.status) {
    case 'completed':
      return { status: 'completed', result: { sealed: seal.seal('result', ending.result) } };
    case 'failed': {
      const { code } = ending.error;
      const sealed = seal.seal('error', ending.error);
      return { status: 'failed', error: { code, message: SEALED_ERROR, data: { sealed } } };
    }
    case 'cancelled':
      return ending;
  }
}

/** A worker that lacks the secrets of a task cannot seal for it, so this message is not sealed. */
export const UNOPENED =
  'A worker could not open this task: it was sealed with a secret that the worker lacks.';

const UNREADABLE_MESSAGE = 'This server cannot read what the task says about its progress.';

/** A task of which all parts are open that these secrets have sealed. */
export function openTaskRecord(record: TaskRecord, seals: TaskSeals): TaskRecord {
  const { id, owner, questions, answers, ending, statusMessage } = record;
  const seal = seals(id, owner);
  const opened = ending && openEnding(seal, ending);
  return {
    ...record,
    ...(statusMessage !== undefined && { statusMessage: openMessage(seal, statusMessage) }),
    questions: openQuestions(seal, questions),
    answers: openAnswers(seal, answers),
    ...(opened && { status: opened.status, ending: opened }),
  };
}

/** By this word operators see that a message is sealed. */
const SEALED = 'sealed:';

export function sealMessage(seal: TaskSeal, statusMessage: string): string {
  return SEALED + seal.seal('message', statusMessage);
}

/**
 * A message that was not sealed with these secrets is not shown: an attacker may have written it, and a model would
 * read it.
 */
export function openMessage(seal: TaskSeal, statusMessage: string): string {
  if (statusMessage === UNOPENED) return statusMessage;
  const isSealed = statusMessage.startsWith(SEALED);
  const opened = isSealed ? seal.open('message', statusMessage.slice(SEALED.length)) : undefined;
  return typeof opened === 'string' ? opened : UNREADABLE_MESSAGE;
}

/** An answer that cannot be opened counts as none: the question is asked again. */
export function openAnswers(seal: TaskSeal, answers: unknown): Record<string, unknown> {
  const given = isObject(answers) ? answers : {};
  const opened = Object.entries(given).map(([key, text]) => [key, seal.open(`answer ${key}`, text)]);
  return present(Object.fromEntries(opened) as Record<string, unknown>);
}

/** A question that cannot be opened counts as none. */
export function openQuestions(seal: TaskSeal, questions: unknown): Record<string, TaskQuestion> {
  const asked = Object.entries(isObject(questions) ? questions : {});
  const opened = asked.flatMap(([key, question]) => {
    const { method, params } = isObject(question) ? question : {};
    const content = isObject(params) ? seal.open(`question ${key}`, params['sealed']) : undefined;
    return typeof method === 'string' && isObject(content)
      ? [[key, { method, params: content }] as const]
      : [];
  });
  return Object.fromEntries(opened);
}

/**
 * Opens how a task ended. Nothing that others have written in its place is shown: an ending that this server cannot
 * open is a failure with a text of ours.
 */
export function openEnding(seal: TaskSeal, ending: TaskEnding): TaskEnding {
  switch (ending.status) {
    case 'completed': {
      const result = seal.open('result', ending.result['sealed']);
      return isObject(result) ? { status: 'completed', result } : failure('result_unreadable');
    }
    case 'failed': {
      const { data } = ending.error;
      const error = seal.open('error', data?.['sealed']);
      if (isTaskError(error)) return { status: 'failed', error };
      const reason = data?.['reason'] as FailureReason;
      return failure(
        reason === 'record_unreadable' || reason === 'result_not_stored' ? reason : 'error_unreadable',
      );
    }
    case 'cancelled':
      return { status: 'cancelled' };
  }
}

/** Failures whose texts are ours. A queue cannot seal: it names its reason, and the text is here. */
const FAILURES = {
  result_unreadable: 'The task was done, but this server cannot read its result any more.',
  error_unreadable:
    'The task failed. This server cannot read the text of its error, so the reason is not known.',
  record_unreadable:
    'The record of this task could not be read, so the task was given up. Check how far the work got before you call the tool again.',
  result_not_stored:
    'The result of the task could not be stored. Check what was done before you call the tool again.',
} as const;

type FailureReason = keyof typeof FAILURES;

function failure(reason: FailureReason): TaskEnding {
  const error = { code: JsonRpcCode.internalError, message: FAILURES[reason], data: { reason } };
  return { status: 'failed', error };
}

function isTaskError(value: unknown): value is Extract<TaskEnding, { status: 'failed' }>['error'] {
  return isObject(value) && Number.isInteger(value['code']) && typeof value['message'] === 'string';
}
