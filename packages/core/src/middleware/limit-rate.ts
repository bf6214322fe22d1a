import { RateLimit, type RateLimitPolicy } from '../decorators/rate-limit.js';
import { after } from '../pipeline/after.js';
import type { ActiveCall } from '../pipeline/active-call.js';
import { callerKey } from '../pipeline/caller-key.js';
import type { Environment } from '../pipeline/environment.js';
import type { Consumption } from '../pipeline/insured-limiter.js';
import type { MaybePromise } from '../pipeline/operation.js';
import { operationKey } from '../pipeline/operation-key.js';
import type { AnyDraft } from '../pipeline/draft.js';
import type { StepOrigin } from '../pipeline/step-description.js';
import type { PlannedStep, PlanStep } from '../pipeline/plan-step.js';
import type { OnStoreError } from '../pipeline/pipeline-options.js';
import { refuse } from '../pipeline/refuse.js';
import type { RateLimitDecision, RateLimitRule } from '../ports/rate-limiter.js';

/** Takes points of the caller's quota for this operation, once per chain of rounds. */
export const planRateLimit: PlanStep = (draft, environment) => {
  const limit = effectiveLimit(draft, environment);
  const onStoreError = draft.annotations.destructiveHint ? 'closed' : environment.onStoreError;
  return limit && limitRate(operationKey(draft), { ...limit, onStoreError }, environment);
};

/** Completions have a quota of their own, whatever the calls of the prompt or template are limited to. */
export const planCompletionRateLimit: PlanStep = (draft, environment) => {
  const { rateLimit: rule, onStoreError } = environment;
  const limit = rule && { rule, cost: 1, key: undefined, origin: 'default' as const, onStoreError };
  return limit && limitRate(`completion ${operationKey(draft)}`, limit, environment);
};

function limitRate(
  name: string,
  { rule, cost, key, origin, onStoreError }: EffectiveLimit & { onStoreError: OnStoreError },
  environment: Environment,
): PlannedStep {
  const consumption = (call: ActiveCall): Consumption => {
    const { request, given } = call;
    const caller = key
      ? key({ principal: request.principal, arguments: given })
      : callerKey(request, environment.anonymousByIp);
    return { key: `${name} ${caller}`, cost, rule };
  };
  return {
    name: 'rate limit',
    origin,
    detail: `${rule.points} points in ${rule.perMs} ms, a call costs ${cost}, store down: ${onStoreError}`,
    step(call, next) {
      // Charged in the first round: the caller pays for a call, not for the questions it raises.
      if (call.request.input.paid) return next();
      return after(
        () => decide(consumption(call), onStoreError, environment),
        (decision) => (decision.allowed ? next() : refuseFor(call, decision)),
      );
    },
  };
}

interface EffectiveLimit {
  rule: RateLimitRule;
  cost: number;
  key: RateLimitPolicy['key'];
  origin: StepOrigin;
}

function effectiveLimit(draft: AnyDraft, { rateLimit }: Environment): EffectiveLimit | undefined {
  const policy = RateLimit.of(draft);
  if (policy?.options) {
    const { rule, cost, key } = policy.options;
    return { rule, cost: cost ?? costOf(draft), key, origin: policy.origin };
  }
  if (policy || !rateLimit) return undefined;
  return { rule: rateLimit, cost: costOf(draft), key: undefined, origin: 'default' };
}

function costOf({ annotations }: AnyDraft): number {
  if (annotations.destructiveHint) return 5;
  return annotations.openWorldHint ? 2 : 1;
}

type Decision = RateLimitDecision & { down?: boolean };

function decide(
  wanted: Consumption,
  onStoreError: OnStoreError,
  environment: Environment,
): MaybePromise<Decision> {
  return after(
    () => environment.limiter.consume(wanted),
    (decision): MaybePromise<Decision> => {
      if (decision) return decision;
      if (onStoreError === 'open') return { allowed: true, remaining: 0, retryAfterMs: 0 };
      if (onStoreError === 'closed') return { allowed: false, remaining: 0, retryAfterMs: 5_000, down: true };
      return environment.localLimiter.consume(wanted.key, wanted.cost, wanted.rule);
    },
  );
}

function refuseFor(call: ActiveCall, { retryAfterMs, down }: Decision) {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return refuse(call, {
    outcome: 'limited',
    reason: down ? 'TW_LIMITER_DOWN' : 'TW_RATE_LIMITED',
    text: down
      ? `The limits of this tool cannot be checked right now; retry in ${seconds} s`
      : `Rate limited; retry in ${seconds} s`,
    rpcCode: 429,
    meta: { retryAfterMs: Math.ceil(retryAfterMs) },
  });
}
