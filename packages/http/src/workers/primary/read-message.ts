import { isServerEvent, type LeaseLimit } from '@toolwright/core';
import { askable, type Question, type ToPrimary, type WindowName } from '../link/messages.js';

/**
 * A message of a worker, if it is one. A program may send anything on the channel of its process, and the primary
 * process must outlive all of it.
 */
export function readMessage(message: unknown): ToPrimary | undefined {
  return Array.isArray(message) && isMessage(message) ? (message as unknown as ToPrimary) : undefined;
}

function isMessage([tell, ...rest]: readonly unknown[]): boolean {
  const [first, second, third] = rest;
  switch (tell) {
    case 'hello':
    case 'alive':
    case 'leaving':
      return true;
    case 'ready':
      return first === null || typeof first === 'string';
    case 'ask':
      return isCount(first) && Array.isArray(second);
    case 'release':
      return isCount(first);
    case 'publish':
      return isServerEvent(first);
    case 'returned':
      return isWindow(first) && isCount(second) && isCount(third);
    default:
      return false;
  }
}

/** @throws {Error} when nobody could answer the question; the worker that asks gets it */
export function checkQuestion(question: readonly unknown[]): asserts question is Question {
  const [ask, first, second, third, fourth] = question;
  const isKnown =
    (ask === 'lease' && Array.isArray(first) && first.every(isLimit)) ||
    (ask === 'points' && isWindow(first) && isCount(second) && isCount(third) && isCount(fourth)) ||
    (ask === 'store' && isMethod(first, second) && Array.isArray(third));
  if (!isKnown) throw new Error('The primary process does not know such a question.');
}

/** Only these are called. Names such as `constructor` are properties of every object, too. */
function isMethod(store: unknown, method: unknown): boolean {
  if (typeof store !== 'string' || !Object.hasOwn(askable, store)) return false;
  return (askable[store as keyof typeof askable] as readonly unknown[]).includes(method);
}

function isWindow(value: unknown): value is WindowName {
  if (!Array.isArray(value)) return false;
  const [points, perMs, key] = value as unknown[];
  return isCount(points) && isCount(perMs) && typeof key === 'string';
}

function isLimit(value: unknown): value is LeaseLimit {
  const { key, max } = (value ?? {}) as Partial<Record<keyof LeaseLimit, unknown>>;
  return typeof key === 'string' && isCount(max);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}
