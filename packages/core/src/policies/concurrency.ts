import { RETRY_AFTER_MS } from '@toolwright/ground/base/errors/errors';
import { type OptionSchema, parseOptions } from '@toolwright/ground/base/options/option-schema';
import { count, filledText, oneOf, positiveCount, required } from '@toolwright/ground/base/options/rules';
import type { ActiveCall, Holding } from '@toolwright/ground/call/active-call';
import type { Environment } from '@toolwright/ground/call/environment';
import type { Release, SlotPool } from '@toolwright/ground/call/limits/slot-pool';
import { type AnyDraft, taskOf } from '@toolwright/ground/call/operation/draft';
import type { Next } from '@toolwright/ground/call/operation/operation';
import { refuse, refuseOverload } from '@toolwright/ground/call/refuse';
import { type MaybePromise, after, isPromise } from '@toolwright/json';
import { definePolicy } from './define-policy.js';
import type { BuiltInGuard, PlanGuard, BuiltInStep } from './guard.js';

export interface ConcurrencyOptions {
  /**
   * How many calls of this tool may run at a time. Further calls wait in a queue that is fair to all callers.
   */
  max: number;
  /**
   * `'tool'` (default) counts all callers together. `'principal'` counts each caller separately, and `'tenant'` each tenant.
   */
  per?: 'tool' | 'principal' | 'tenant';
  /** How many calls may wait. Further calls are refused with the advice to retry later. Default 100. */
  queue?: number;
  /**
   * Operations with the same group share their slots, even in different classes. All of them must have the
   * same `max`, `per` and `queue`; otherwise there is a boot error. Default: each operation has its own
   * slots.
   */
  group?: string;
}

const concurrencyOptions = {
  max: required(positiveCount),
  per: { ...oneOf('tool', 'principal', 'tenant'), default: 'tool' },
  queue: { ...count, default: 100 },
  group: filledText,
} satisfies OptionSchema<ConcurrencyOptions>;

/**
 * Limits how many calls of an operation run at a time, in addition to the server's limit per principal. A
 * slot becomes free when the work has ended, and not at the deadline. On a class, each of its operations has
 * a limit of its own; with a `group`, all of them share one limit.
 *
 * @example
 * @McpTool()
 * @Concurrency({ max: 2 }) async renderPdf(pageId: string) { … }
 * @example
 * @McpService()
 * @Concurrency({ max: 1, group: 'graph' }) class GraphTools { … }
 */
export const Concurrency = definePolicy('concurrency', {
  parse: (options: ConcurrencyOptions) => parseOptions('@Concurrency', concurrencyOptions, options),
});

const planServerConcurrency: PlanGuard = (draft, environment) => {
  const { slots, work } = environment;
  if (!slots) return undefined;
  const { perKey, perTenant = Infinity, total } = slots.limits;
  const parts = [
    [perKey, 'at a time per principal'],
    [perTenant, 'per tenant'],
    [total, 'in all'],
  ] as const;
  return {
    origin: 'default',
    detail: parts
      .filter(([most], index) => index === 0 || Number.isFinite(most))
      .map(([most, holder]) => `${most} ${holder}`)
      .join(', '),
    step: inSlot({
      pool: slots,
      work,
      asTask: startsAtOnce(draft),
      full(call) {
        // This is the server's own limit for all principals together. A load balancer should learn that it is
        // reached.
        if (Number.isFinite(total) && slots.load.running >= total) refuseOverload(call);
        return refuseFull(call, 'Too many of your calls run or wait already');
      },
    }),
  };
};

const planToolConcurrency: PlanGuard = (draft, { pools, work }: Environment) => {
  const policy = Concurrency.of(draft);
  if (!policy) return undefined;
  const { max, per, queue, group } = policy.options;
  const total = per === 'tool' ? max : Number.POSITIVE_INFINITY;
  const limits = { perKey: max, total, queue, ...(per === 'tenant' && { perTenant: max }) };
  const pool = group === undefined ? pools.ofOperation(draft, limits) : pools.of(`group ${group}`, limits);
  const sharers =
    group === undefined ? `per ${per}` : `in the group "${group}"${per === 'tool' ? '' : ` per ${per}`}`;
  const calls = group === undefined ? draft.name : `${draft.name}, and of what shares its limit,`;
  return {
    origin: policy.origin,
    detail: `${max} at a time ${sharers}, ${queue} may wait`,
    step: inSlot({
      pool,
      work,
      asTask: startsAtOnce(draft),
      full: (call) => refuseFull(call, `Too many calls of ${calls} run or wait already`),
    }),
  };
};

function startsAtOnce(draft: AnyDraft): boolean {
  return taskOf(draft)?.start === 'immediate';
}

interface Admission {
  pool: SlotPool;
  work: Environment['work'];
  /** True when every call is a task. Its caller gets the handle before the task waits for a slot. */
  asTask: boolean;
  full(call: ActiveCall): unknown;
}

function inSlot(admission: Admission): BuiltInStep['step'] {
  const { pool, asTask } = admission;
  return (call, next) => {
    const startsFirst = asTask && call.request.task !== undefined && pool.isBusy(call.callerKey);
    return startsFirst
      ? call.startTask().then(() => enter(admission, call, next))
      : enter(admission, call, next);
  };
}

function enter(
  { pool, full, work }: Admission,
  call: ActiveCall,
  next: Next<unknown>,
): MaybePromise<unknown> {
  const key = call.callerKey;
  const slot = pool.acquire({ key, signal: () => call.signal });
  if (!isPromise(slot)) return slot ? holding(new HeldSlot(pool, key, slot), call, next) : full(call);
  call.isQueued = true;
  return slot.then((release) => {
    if (call.isGivenUp) {
      // The call ended while it waited, at its deadline or because the caller cancelled it. It already has
      // its answer.
      release?.();
      return undefined;
    }
    call.isQueued = false;
    // Calls that ended at their deadline gave their slots back, and their work may run on. A call that waited for
    // such a slot would add to that work.
    if (release && work.abandoned > 0 && work.isFull(call)) {
      release();
      refuseOverload(call);
    }
    return release ? holding(new HeldSlot(pool, key, release), call, next) : full(call);
  });
}

function holding(slot: HeldSlot, call: ActiveCall, next: Next<unknown>): MaybePromise<unknown> {
  call.hold(slot);
  return next();
}

/**
 * The slot of a call. It is given back when the call's work has ended, and others may use it while the call
 * waits for a person.
 */
class HeldSlot implements Holding {
  #isOver = false;

  constructor(
    private readonly pool: SlotPool,
    private readonly key: string,
    private giveBack: Release,
  ) {}

  suspend(): void {
    this.giveBack();
  }

  resume(): MaybePromise<void> {
    return after(
      () => (this.#isOver ? undefined : this.pool.acquire({ key: this.key, resumed: true })),
      (again) => {
        this.giveBack = again ?? this.giveBack;
        // The call may have ended while it waited to continue.
        if (this.#isOver) this.giveBack();
      },
    );
  }

  release(): void {
    this.#isOver = true;
    this.giveBack();
  }
}

function refuseFull(call: ActiveCall, what: string) {
  return refuse(call, {
    outcome: 'limited',
    reason: 'TW_CONCURRENCY',
    text: `${what}; retry in ${RETRY_AFTER_MS.busy / 1_000} s`,
    rpcCode: 429,
    meta: { retryAfterMs: RETRY_AFTER_MS.busy },
  });
}

/** The server's limit of running calls, for each principal and for all. */
export const serverConcurrencyGuard: BuiltInGuard = {
  name: 'concurrency',
  position: 80,
  summary: "Holds a slot of the server's limit of calls at a time.",
  plan: planServerConcurrency,
  planCompletion: planServerConcurrency,
};

/** The limit of one operation, or of a group of operations, from `@Concurrency`. */
export const toolConcurrencyGuard: BuiltInGuard = {
  name: 'concurrency of the tool',
  position: 90,
  summary: 'Holds a slot of the operation or of its group.',
  decorators: { Concurrency },
  plan: planToolConcurrency,
};
