import type { MaybePromise } from '../base/maybe-promise.js';
import type { ActiveCall } from '../call/active-call.js';
import type { Environment } from '../call/environment.js';
import type { Next } from '../call/operation/operation.js';
import type { AnyDraft } from '../call/operation/draft.js';
import type { StepDescription } from '../call/operation/step-description.js';

/** A step of a chain, with its reason for being there. */
export interface PlannedStep extends StepDescription {
  readonly step: (call: ActiveCall, next: Next<unknown>) => MaybePromise<unknown>;
}

/** Decides at boot whether an operation needs a step. Undefined: it does not, and pays nothing for it. */
export type PlanStep = (draft: AnyDraft, environment: Environment) => PlannedStep | undefined;
