import type { ToolResult } from '../base/content.js';
import { callback, positive, required } from '../base/options/rules.js';
import type { Duration } from '../base/options/option-schema.js';
import { isProtocolError, isToolError } from '../base/errors/errors.js';
import { type MaybePromise, after, isPromise } from '../base/maybe-promise.js';
import { type OptionSchema, parseOptions } from '../base/options/option-schema.js';
import type { Principal } from '../base/request-context.js';
import type { ActiveCall } from '../call/active-call.js';
import type { OnStoreError } from '../call/call-options.js';
import type { Environment } from '../call/environment.js';
import { type Consumption, countedSpan, rateLimitRule } from '../call/limits/rate-limits.js';
import { within } from '../call/limits/timed-store.js';
import type { AnyDraft } from '../call/operation/draft.js';
import { operationKey } from '../call/operation/keys.js';
import type { StepOrigin } from '../call/operation/operation.js';
import { refuse } from '../call/refuse.js';
import { secretsOf, withoutSecrets } from '../call/hide-sensitive.js';
import type { RateLimitDecision, RateLimitRule } from '../ports/rate-limiter.js';
import { definePolicy } from './define-policy.js';
import type { Guard, PlanGuard, PlannedGuard } from './guard.js';

export interface RateLimitOptions {
  /**
   * The points that a caller may use within `per`. A call costs 1 point, 2 with `openWorldHint: true`, and 5
   * with `destructiveHint: true`.
   */
  points: number;
  /** The span of time in which the points are counted. At most 24 days. */
  per: Duration;
  /** The points of one call. It replaces the cost that the annotations set. */
  cost?: number;
  /**
   * Returns a text; calls with the same text share the points of this tool. Default: each principal has its own
   * points. The function gets the arguments as the client sent them, before they are validated. It may be async and
   * may take one second at most. If it throws or takes longer, the call is refused with a text that says so, and the
   * caller is charged the points. The model reads the message of a `ToolError` that it throws. If it returns anything
   * but a text, such as `undefined`, the call counts against the caller's own points.
   */
  key?: (caller: {
    principal: Principal | undefined;
    arguments: Readonly<Record<string, unknown>>;
  }) => string | Promise<string>;
}

const rateLimitOptions = {
  points: required(positive),
  per: required(countedSpan),
  cost: positive,
  key: callback,
} satisfies OptionSchema<RateLimitOptions>;

interface RateLimitPolicy {
  rule: RateLimitRule;
  cost: number | undefined;
  key: RateLimitOptions['key'];
}

/**
 * Limits how often a caller may use a tool. `false` removes the server's default limit. A refused call gets a
 * result with `isError: true` that says when to try again.
 *
 * @example
 * @McpTool()
 * @RateLimit({ points: 60, per: '1m' }) async search(query: string) { … }
 */
export const RateLimit = definePolicy('rateLimit', {
  parse: (options: RateLimitOptions | false): RateLimitPolicy | false => {
    if (options === false) return false;
    const { points, per, cost, key } = parseOptions('@RateLimit', rateLimitOptions, options);
    return { rule: rateLimitRule(points, per), cost, key };
  },
});

const planRateLimit: PlanGuard = (draft, environment) => {
  const limit = effectiveLimit(draft, environment);
  const onStoreError = draft.annotations.destructiveHint ? 'closed' : environment.onStoreError;
  return limit && limitRate(operationKey(draft), { ...limit, onStoreError }, environment);
};

/** Completions have their own quota. The limits for calls of the prompt or template do not apply. */
const planCompletionRateLimit: PlanGuard = (draft, environment) => {
  const { rateLimit: rule, onStoreError } = environment;
  const limit = rule && {
    rule,
    cost: 1,
    key: undefined,
    origin: 'default' as const,
    onStoreError,
    skipsStdio: environment.skipsStdio,
  };
  return limit && limitRate(`completion ${operationKey(draft)}`, limit, environment);
};

function limitRate(
  name: string,
  { rule, cost, key, origin, skipsStdio, onStoreError }: EffectiveLimit & { onStoreError: OnStoreError },
  environment: Environment,
): PlannedGuard {
  const consumption = (caller: string): Consumption => ({ key: `${name} ${caller}`, cost, rule });
  const charge = (caller: string) => decide(consumption(caller), onStoreError, environment);
  return {
    origin,
    detail: [
      `${rule.points} points in ${rule.perMs} ms, a call costs ${cost}, store down: ${onStoreError}`,
      skipsStdio && 'not over stdio',
    ]
      .filter(Boolean)
      .join(', '),
    step(call, next) {
      if (skipsStdio && call.request.transport === 'stdio') return next();
      // The first round is charged: the caller pays for a call, and not for the questions that it asks.
      if (call.request.input.paid) return next();
      const decided = (decision: Decision) => (decision.allowed ? next() : refuseFor(call, decision));
      if (!key) return after(() => charge(call.callerKey), decided);
      return after(
        () => askForKey(key, call),
        (caller) => after(() => charge(typeof caller === 'string' ? caller : call.callerKey), decided),
        // A call whose key cannot be computed is charged, too, because such calls must not be free.
        (error) =>
          after(
            () => charge(call.callerKey),
            (decision) => (decision.allowed ? refuseKey(call, error) : refuseFor(call, decision)),
          ),
      );
    },
  };
}

/** If computing the key takes longer, the call is refused. The deadline does not run yet at this point. */
const keyTimeoutMs = 1_000;

/** @throws the error of `key`, or an error when it takes too long */
function askForKey(key: NonNullable<RateLimitPolicy['key']>, call: ActiveCall): MaybePromise<string> {
  const { request, given, environment, operation } = call;
  const answer = key({ principal: request.principal, arguments: given });
  if (!isPromise(answer)) return answer;
  const tooLate = () => new Error(`The key of @RateLimit of "${operation.name}" took longer than 1 s.`);
  return within(answer, { clock: environment.clock, ms: keyTimeoutMs, tooLate });
}

/**
 * The key reads arguments before they are validated, so most of its errors come from bad arguments. The error is
 * logged.
 */
function refuseKey(call: ActiveCall, error: unknown): ToolResult {
  if (isToolError(error) || isProtocolError(error)) throw error;
  const { operation, environment, request } = call;
  const reference = environment.ids.reference();
  call.verdict.reference = reference;
  const fields = {
    reference,
    err: withoutSecrets(error, secretsOf(call)),
    operation: operation.name,
    requestId: request.id,
  };
  environment.logger.warn(fields, 'The key of @RateLimit failed, so a call was refused');
  return refuse(call, {
    outcome: 'limited',
    reason: 'TW_RATE_LIMIT_KEY',
    text: `The limit of ${operation.name} cannot be found for these arguments, so nothing was done. Check the arguments (ref ${reference}).`,
    rpcCode: 429,
  });
}

interface EffectiveLimit {
  rule: RateLimitRule;
  cost: number;
  key: RateLimitPolicy['key'];
  origin: StepOrigin;
  /** True for stdio: a local process has one user, who cannot take anything from others. */
  skipsStdio: boolean;
}

function effectiveLimit(draft: AnyDraft, { rateLimit, skipsStdio }: Environment): EffectiveLimit | undefined {
  const policy = RateLimit.of(draft);
  if (policy?.options) {
    const { rule, cost, key } = policy.options;
    return { rule, cost: cost ?? costOf(draft), key, origin: policy.origin, skipsStdio: false };
  }
  if (policy || !rateLimit) return undefined;
  return { rule: rateLimit, cost: costOf(draft), key: undefined, origin: 'default', skipsStdio };
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
  const { limiter, localLimiter } = environment;
  const locally = () => localLimiter.consume(wanted.key, wanted.cost, wanted.rule);
  if (!limiter) return locally();
  return after(
    () => limiter.consume(wanted),
    (decision): MaybePromise<Decision> => {
      if (decision) return decision;
      if (onStoreError === 'open') return { allowed: true, remaining: 0, retryAfterMs: 0 };
      if (onStoreError === 'closed') return { allowed: false, remaining: 0, retryAfterMs: 5_000, down: true };
      return locally();
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

/** Takes points from the caller's quota for this operation, once for all rounds of a call. */
export const rateLimitGuard: Guard = {
  name: 'rate limit',
  position: 50,
  summary: "Takes points of the caller's quota, once per chain of rounds.",
  decorators: { RateLimit },
  plan: planRateLimit,
  planCompletion: planCompletionRateLimit,
};
