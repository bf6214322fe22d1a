import type { MaybePromise } from '../base/maybe-promise.js';
import type { Next } from './operation/operation.js';

type AnyStep<C, R> = (call: C, next: Next<R>) => MaybePromise<R>;

/** One function out of steps, first one outermost, and what is at their end. Synchronous as long as every step is. */
export function compose<C, R>(
  steps: readonly AnyStep<C, R>[],
  end: (call: C) => MaybePromise<R>,
): (call: C) => MaybePromise<R> {
  return steps.reduceRight<(call: C) => MaybePromise<R>>(
    (rest, step) => (call) => step(call, () => rest(call)),
    end,
  );
}
