import type { MaybePromise } from '../../base/maybe-promise.js';
import type { Next, StepDescription } from '../operation/operation.js';

/** Writes down what each step of a chain does with one call. */
export interface StepRecorder {
  /** The number of the call in traces. */
  readonly number: number;
  /** When the call began, in milliseconds since the epoch. */
  readonly at: number;
  /** Runs one step, measures it, and sees whether it calls `next`. */
  step(
    description: StepDescription,
    run: (next: Next<unknown>) => MaybePromise<unknown>,
    next: Next<unknown>,
  ): MaybePromise<unknown>;
}
