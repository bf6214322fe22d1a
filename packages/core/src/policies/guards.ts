import type { Environment } from '../call/environment.js';
import type { AnyDraft } from '../call/operation/draft.js';
import { auditGuard } from './audit/audit.js';
import { authorizeGuard } from './authorize.js';
import { cacheGuard } from './cache.js';
import { serverConcurrencyGuard, toolConcurrencyGuard } from './concurrency.js';
import { confirmGuard, questionGuard } from './confirm/ask-to-confirm.js';
import type { Policy } from './define-policy.js';
import { errorsGuard } from './errors.js';
import type { Guard, PlanGuard, PlannedStep } from './guard.js';
import { outputGuard } from './output/guard-output.js';
import { rateLimitGuard } from './rate-limit.js';
import { taskClientGuard, taskStartGuard } from './start-task.js';
import { deadlineGuard } from './timeout.js';
import { revivalGuard, validationGuard } from './validate.js';
import { conversionGuard } from './standard-schemas.js';

/**
 * All built-in guards, outermost first. Each has its own position. Guards that refuse cheaply come early, and
 * run no code of the tool's author. All code of the author, validators included, runs inside the deadline and
 * the slots. A person is asked only when it is known that the call would be carried out. While the person
 * thinks, the clock stops and the slot is free for others. Every result passes the output guard last.
 */
export const guards: readonly Guard[] = [
  auditGuard,
  authorizeGuard,
  cacheGuard,
  confirmGuard,
  conversionGuard,
  deadlineGuard,
  errorsGuard,
  outputGuard,
  questionGuard,
  rateLimitGuard,
  revivalGuard,
  serverConcurrencyGuard,
  taskClientGuard,
  taskStartGuard,
  toolConcurrencyGuard,
  validationGuard,
].sort((one, other) => one.position - other.position);

/** The built-in policies by the names of their decorators. */
export const builtInPolicies: ReadonlyMap<string, Policy<never[], unknown>> = new Map(
  guards.flatMap(({ decorators = {} }) => Object.entries(decorators)),
);

/** Plans the built-in part of an operation's chain, outermost first. @throws {ConfigurationError} */
export function planGuards(draft: AnyDraft, environment: Environment): PlannedStep[] {
  return guards.flatMap(({ name, plan }) => named(name, plan, draft, environment));
}

/** Plans the same for the completions of its arguments. */
export function planCompletionGuards(draft: AnyDraft, environment: Environment): PlannedStep[] {
  return guards.flatMap(({ name, planCompletion }) =>
    planCompletion ? named(name, planCompletion, draft, environment) : [],
  );
}

/** Plans the same for runs of a schedule. */
export function planScheduledGuards(draft: AnyDraft, environment: Environment): PlannedStep[] {
  return guards.flatMap(({ name, planScheduled }) =>
    planScheduled ? named(name, planScheduled, draft, environment) : [],
  );
}

/** The names of the policies that count for runs of a schedule. */
export const scheduledPolicies: ReadonlySet<string> = new Set(
  guards.flatMap(({ planScheduled, decorators = {} }) =>
    planScheduled ? Object.values(decorators).map(({ policyName }) => policyName) : [],
  ),
);

function named(name: string, plan: PlanGuard, ...[draft, environment]: Parameters<PlanGuard>): PlannedStep[] {
  const planned = plan(draft, environment);
  return planned ? [{ name, ...planned }] : [];
}
