import type { ToolResult } from '@toolwright/ground/base/content';
import { isProtocolError, RETRY_AFTER_MS } from '@toolwright/ground/base/errors/errors';
import type { Duration } from '@toolwright/ground/base/options/option-schema';
import { type OptionSchema, parseOptions } from '@toolwright/ground/base/options/option-schema';
import { callback, either, flag, positive, required, sayRate } from '@toolwright/ground/base/options/rules';
import type { ActiveCall } from '@toolwright/ground/call/active-call';
import type { OnStoreError } from '@toolwright/ground/call/call-options';
import type { Environment } from '@toolwright/ground/call/environment';
import {
  BY_CALLER,
  type CallLimit,
  type Consumption,
  type LimitKey,
  LIMIT_PATIENCE_MS,
  type LimitedPoints,
  callLimit,
  countedSpan,
  type PointsByCaller,
} from '@toolwright/ground/call/limits/rate-limits';
import { within } from '@toolwright/ground/call/limits/timed-store';
import type { AnyDraft } from '@toolwright/ground/call/operation/draft';
import { countedKey, keyInTenant, operationKey } from '@toolwright/ground/call/operation/keys';
import { withBareName } from '@toolwright/ground/call/operation/names';
import type { StepOrigin } from '@toolwright/ground/call/operation/operation';
import { refuse } from '@toolwright/ground/call/refuse';
import type { RateLimitDecision, RateLimitRule } from '@toolwright/ground/ports/rate-limiter';
import { copyData, type MaybePromise, after, isPromise } from '@toolwright/json';
import { definePolicy } from './define-policy.js';
import type { BuiltInGuard, PlanGuard, BuiltInStep } from './guard.js';

export interface RateLimitOptions {
  /**
   * The points that a caller may use within `per`. A call costs 1 point, 2 with `openWorldHint: true`, and 5
   * with `destructiveHint: true`. A function says it for each principal, such as by the plan of its tenant.
   */
  points: LimitedPoints;
  /** The span of time in which the points are counted. At most 24 days. More than 0. */
  per: Duration;
  /** The points of one call. It replaces the cost that the annotations set. */
  cost?: number;
  /**
   * Returns a text; calls with the same text share the points of this tool, within a tenant. Default: each principal has
   * its own points. The function gets the arguments as the client sent them, before they are validated. It may be async
   * and may take one second at most. If it throws or takes longer, the call is refused with a text that says so, and the
   * caller is charged the points. The model reads the message of a `ToolError` that it throws. If it returns anything
   * but a text, such as `undefined`, the call counts against the caller's own points.
   */
  key?: LimitKey;
  /**
   * Counts the calls of all operations together that have `acrossTools: true` and the same points. Default false: each
   * operation has its own points.
   */
  acrossTools?: boolean;
}

const rateLimitOptions = {
  points: required(either(positive, callback)),
  per: required(countedSpan),
  cost: positive,
  key: callback,
  acrossTools: flag,
} satisfies OptionSchema<RateLimitOptions>;

interface RateLimitPolicy {
  limit: CallLimit;
  cost: number | undefined;
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
    const { cost, ...limit } = parseOptions('@RateLimit', rateLimitOptions, options);
    return { limit: callLimit(limit), cost };
  },
});

const planRateLimit: PlanGuard = (draft, environment) => {
  const limit = effectiveLimit(draft, environment);
  const onStoreError = draft.annotations.destructiveHint ? 'closed' : environment.onStoreError;
  return limit && limitRate(countedKey(draft), { ...limit, onStoreError }, environment);
};

/** Completions have their own quota. The limits for calls of the prompt or template do not apply. */
const planCompletionRateLimit: PlanGuard = (draft, environment) => {
  const { rateLimit, onStoreError } = environment;
  const limit = rateLimit && {
    // A key reads the arguments of a call, which a completion has not.
    limit: { ...rateLimit, key: undefined },
    cost: 1,
    origin: 'default' as const,
    onStoreError,
    skipsStdio: environment.skipsStdio,
  };
  return limit && limitRate(`completion ${operationKey(draft)}`, limit, environment);
};

function limitRate(
  operation: string,
  { limit, cost, origin, skipsStdio, onStoreError }: EffectiveLimit & { onStoreError: OnStoreError },
  environment: Environment,
): BuiltInStep {
  const { rule, key } = limit;
  const place = limit.acrossTools ? sharedPlace(operation, key) : operation;
  const consume = (own: RateLimitRule, caller: string) =>
    decide({ key: `${place} ${caller}`, cost, rule: own }, onStoreError, environment);
  return {
    origin,
    detail: [
      sayRate(isByCaller(rule) ? 'points by caller' : String(rule.points), rule.perMs),
      limit.acrossTools && 'for all operations together',
      `a call costs ${cost}`,
      `store down: ${onStoreError}`,
      skipsStdio && 'not over stdio',
    ]
      .filter(Boolean)
      .join(', '),
    step(call, next) {
      if (skipsStdio && call.request.transport === 'stdio') return next();
      // The first round is charged: the caller pays for a call, and not for the questions that it asks.
      if (call.request.input.paid) return next();
      if (!isByCaller(rule)) return consumeBy(rule, call, next);
      return after(
        () => rule.ruleFor(call.request.principal, call.callerKey, environment),
        (own) => (own ? consumeBy(own, call, next) : refusePoints(call)),
      );
    },
  };

  function consumeBy(own: RateLimitRule, call: ActiveCall, next: () => unknown): unknown {
    const decided = (decision: Decision) => {
      if (decision.allowed) return next();
      return own.points > 0 && own.points < cost ? refuseAlways(call, own, cost) : refuseFor(call, decision);
    };
    const charge = (caller: string) => after(() => consume(own, caller), decided);
    if (!key) return charge(call.callerKey);
    return after(
      () => askForKey(key, call),
      (text) => charge(typeof text === 'string' ? keyInTenant(text, call.request.principal) : call.callerKey),
      // A call whose key cannot be computed is charged, too, because such calls must not be free.
      (error) =>
        after(
          () => consume(own, call.callerKey),
          (decision) => (decision.allowed ? refuseKey(call, error) : refuseFor(call, decision)),
        ),
    );
  }
}

/** The place of all operations that count together. What follows a place is a caller, or a text of the application. */
export function sharedPlace(operation: string, key: LimitKey | undefined): string {
  if (operation.startsWith('completion ')) return 'completions';
  return key ? 'operations by key' : 'operations';
}

/** @throws the error of `key`, or an error when it takes too long */
function askForKey(key: LimitKey, call: ActiveCall): MaybePromise<string> {
  const { request, given, environment, operation } = call;
  const answer = key({
    principal: request.principal,
    arguments: copyData(given),
    operation: withBareName(operation),
  });
  if (!isPromise(answer)) return answer;
  const tooLate = () => new Error(`The key of the rate limit of "${operation.name}" took longer than 1 s.`);
  return within(answer, { clock: environment.clock, ms: LIMIT_PATIENCE_MS, tooLate });
}

/**
 * The key reads arguments before they are validated, so most of its errors come from bad arguments. The error is
 * logged.
 */
function refuseKey(call: ActiveCall, error: unknown): ToolResult {
  const { operation, environment, request } = call;
  if (isProtocolError(error) || environment.readError(error)) throw error;
  const reference = environment.ids.reference();
  call.verdict.reference = reference;
  const fields = { reference, err: call.forLog(error), operation: operation.name, requestId: request.id };
  environment.logger.warn(fields, 'The key of a rate limit failed, so a call was refused');
  const text = `The limit of ${operation.name} cannot be found for these arguments, so nothing was done. Check the arguments (ref ${reference}).`;
  return limited(call, { reason: 'TW_RATE_LIMIT_KEY', text });
}

/** Nobody can say what the caller may use. The log says why. */
function refusePoints(call: ActiveCall): ToolResult {
  const text = `The limit of ${call.operation.name} cannot be found for you, so nothing was done. Tell the operator of this server.`;
  return limited(call, { reason: 'TW_RATE_LIMIT_POINTS', text });
}

function limited(
  call: ActiveCall,
  refusal: Pick<Parameters<typeof refuse>[1], 'reason' | 'text' | 'meta'>,
): ToolResult {
  return refuse(call, { outcome: 'limited', rpcCode: 429, ...refusal });
}

interface EffectiveLimit {
  limit: CallLimit;
  cost: number;
  origin: StepOrigin;
  /** True for stdio: a local process has one user, who cannot take anything from others. */
  skipsStdio: boolean;
}

function effectiveLimit(draft: AnyDraft, { rateLimit, skipsStdio }: Environment): EffectiveLimit | undefined {
  const policy = RateLimit.of(draft);
  if (policy?.options) {
    const { limit, cost } = policy.options;
    return { limit, cost: cost ?? costOf(draft), origin: policy.origin, skipsStdio: false };
  }
  if (policy || !rateLimit) return undefined;
  return { limit: rateLimit, cost: costOf(draft), origin: 'default', skipsStdio };
}

/** Whether code of the application says what the limit of an operation is: its key, or the points of a caller. */
export function limitRunsCode(draft: AnyDraft, environment: Environment): boolean {
  const limit = effectiveLimit(draft, environment)?.limit;
  return limit !== undefined && (limit.key !== undefined || isByCaller(limit.rule));
}

/** Whether code of the application says what the limit of completions is: the points of a caller. */
export function completionLimitRunsCode({ rateLimit }: Environment): boolean {
  return rateLimit !== undefined && isByCaller(rateLimit.rule);
}

function isByCaller(rule: RateLimitRule | PointsByCaller): rule is PointsByCaller {
  return BY_CALLER in rule;
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
  // No store need be asked who may do nothing.
  if (wanted.rule.points === 0) return { allowed: false, remaining: 0, retryAfterMs: wanted.rule.perMs };
  const locally = () => localLimiter.consume(wanted.key, wanted.cost, wanted.rule);
  if (!limiter) return locally();
  return after(
    () => limiter.consume(wanted),
    (decision): MaybePromise<Decision> => {
      if (decision) return decision;
      if (onStoreError === 'open') return { allowed: true, remaining: 0, retryAfterMs: 0 };
      if (onStoreError === 'closed')
        return { allowed: false, remaining: 0, retryAfterMs: RETRY_AFTER_MS.away, down: true };
      return locally();
    },
  );
}

/** A caller who waits would wait for ever. The operator has to change the limit or the cost. */
function refuseAlways(call: ActiveCall, { points }: RateLimitRule, cost: number) {
  const text = `A call of ${call.operation.name} costs ${cost} points, and its limit has ${points}, so it can never run. Do not try it again. Tell the operator of this server: raise "points", or set "cost".`;
  return limited(call, { reason: 'TW_RATE_LIMITED', text });
}

function refuseFor(call: ActiveCall, { retryAfterMs, down }: Decision) {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  const meta = { retryAfterMs: Math.ceil(retryAfterMs) };
  if (!down)
    return limited(call, { reason: 'TW_RATE_LIMITED', text: `Rate limited; retry in ${seconds} s`, meta });
  const text = `The limits of this tool cannot be checked right now; retry in ${seconds} s`;
  return limited(call, { reason: 'TW_LIMITER_DOWN', text, meta });
}

/** Takes points from the caller's quota for this operation, once for all rounds of a call. */
export const rateLimitGuard: BuiltInGuard = {
  name: 'rate limit',
  position: 50,
  summary: "Takes points of the caller's quota, once per chain of rounds.",
  decorators: { RateLimit },
  plan: planRateLimit,
  planCompletion: planCompletionRateLimit,
};
