import type { ActiveCall } from '../call/active-call.js';
import type { Environment } from '../call/environment.js';
import type { MaybePromise } from '../base/maybe-promise.js';
import type { Next, StepDescription } from '../call/operation/operation.js';
import type { AnyDraft } from '../call/operation/draft.js';
import type { Policy } from './define-policy.js';

/** What a guard does with each call of one operation, and why the operation has it. */
export interface PlannedGuard extends Omit<StepDescription, 'name'> {
  readonly step: (call: ActiveCall, next: Next<unknown>) => MaybePromise<unknown>;
}

/** A step of a chain, with the name that `toolwright explain` shows. */
export interface PlannedStep extends PlannedGuard {
  readonly name: string;
}

/**
 * Decides at boot whether an operation needs a guard. If it returns `undefined`, the guard costs the
 * operation nothing.
 */
export type PlanGuard = (draft: AnyDraft, environment: Environment) => PlannedGuard | undefined;

/**
 * A built-in guard, with everything that the framework has to know about it. To add one, add a folder beside
 * the others and a line in `guards.ts`.
 */
export interface Guard {
  /** The name that `toolwright explain` shows. */
  readonly name: string;
  /**
   * Its place in the order of a request. No two guards have the same one. A guard with a smaller number is
   * further outside: it sees the call earlier and the result later.
   */
  readonly position: number;
  /** What it does, in one sentence for the guide. */
  readonly summary: string;
  /** The decorators whose options it reads, by the names that people write. */
  readonly decorators?: Readonly<Record<string, Policy<never[], unknown>>>;
  readonly plan: PlanGuard;
  /** The same for completions of the arguments of a prompt or template. Default: it does not guard them. */
  readonly planCompletion?: PlanGuard;
  /** The same for runs of a schedule, which have no caller. Default: it does not guard them. */
  readonly planScheduled?: PlanGuard;
}
