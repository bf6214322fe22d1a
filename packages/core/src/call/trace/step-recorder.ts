import type { MaybePromise } from '../../base/maybe-promise.js';
import type { Next } from '../operation/operation.js';
import type { StepDescription } from '../operation/step-description.js';

/** Writes down what each step of a chain does with one call. */
export interface StepRecorder {
  /** Runs one step, measures it, and sees whether it calls `next`. */
  step(
    description: StepDescription,
    run: (next: Next<unknown>) => MaybePromise<unknown>,
    next: Next<unknown>,
  ): MaybePromise<unknown>;
}
