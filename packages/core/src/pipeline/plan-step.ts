import type { ActiveCall } from './active-call.js';
import type { Environment } from './environment.js';
import type { MaybePromise, Next } from './operation.js';
import type { AnyDraft } from './draft.js';
import type { StepDescription } from './step-description.js';

/** A step of a chain, with its reason for being there. */
export interface PlannedStep extends StepDescription {
  readonly step: (call: ActiveCall, next: Next<unknown>) => MaybePromise<unknown>;
}

/** Decides at boot whether an operation needs a step. Undefined: it does not, and pays nothing for it. */
export type PlanStep = (draft: AnyDraft, environment: Environment) => PlannedStep | undefined;
