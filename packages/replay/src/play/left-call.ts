import { HIDDEN, isObject } from '@toolwright/json';
import type { KeptCall } from '../read/kept-call.js';

/** Why a call is not replayed, and what helps. */
export const leftReasons = {
  hidden: 'a value of it was hidden when it was recorded, so it cannot be sent again',
  inexact:
    'a number of it is beyond a double, or an integer beyond 2^53, and the recording does not have its digits',
  writes: 'its tool does not say that it only reads; --all replays it, too',
  unlisted:
    'the server does not list its tool for this caller, so nobody knows whether it only reads; --all replays it, too',
  ids: 'it has an id of a call that was not replayed, or one that another thing may have here',
  caller: 'its caller cannot be played here',
  question: 'the recording does not have the answer to a question of the server',
  unclear: 'several calls were open at once, and nobody knows which message belongs to it',
  task: 'it was a task',
  cursor: 'it reads on at a place that only the recorded server knows',
  unanswered: 'the recording has no answer to it',
  unreadable: 'it, or its answer, has a form that nobody can read or compare',
  unreachable: 'the server refused the connection',
} as const;

export type LeftReason = keyof typeof leftReasons;

/** Why a call cannot be replayed, whoever answers it. */
export function reasonToLeave(call: KeptCall): LeftReason | undefined {
  const { answer, params, questions } = call;
  if (call.isUnreadable) return 'unreadable';
  if (hasInexact(params)) return 'inexact';
  if (call.isUnclear) return 'unclear';
  if (!answer) return 'unanswered';
  if (call.isTask) return 'task';
  if (params['cursor'] !== undefined) return 'cursor';
  if (hasHidden(params) || isRedacted(params['uri'])) return 'hidden';
  if (questions.some((each) => !each.answer)) return 'question';
  return questions.some((each) => hasHidden(each.answer)) ? 'hidden' : undefined;
}

/** Whether a value, or a value inside it, was hidden. */
export function hasHidden(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(HIDDEN);
  if (Array.isArray(value)) return value.some(hasHidden);
  return isObject(value) && Object.values(value).some(hasHidden);
}

/** Whether a number was rounded when it was read. A server refuses such a number, and would take the rounded one. */
function hasInexact(value: unknown): boolean {
  if (typeof value === 'number')
    return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
  if (Array.isArray(value)) return value.some(hasInexact);
  return isObject(value) && Object.values(value).some(hasInexact);
}

/** Of an address with a sensitive part, a recording has its template or its scheme. */
function isRedacted(uri: unknown): boolean {
  return typeof uri === 'string' && (uri.endsWith('…') || uri.includes('{'));
}
