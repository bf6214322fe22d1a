import { Concurrency } from '../decorators/concurrency.js';
import { OverloadError } from '../errors/overload-error.js';
import { after, isPromise } from '../pipeline/after.js';
import type { ActiveCall } from '../pipeline/active-call.js';
import { callerKey } from '../pipeline/caller-key.js';
import type { Environment } from '../pipeline/environment.js';
import type { MaybePromise, Next } from '../pipeline/operation.js';
import type { PlanStep } from '../pipeline/plan-step.js';
import { refuse } from '../pipeline/refuse.js';
import { SlotPool, type Release } from '../pipeline/slot-pool.js';
import { cancelled } from './limit-time.js';

/** What a caller is told to wait when nobody can know how long the queue will be. */
const retryAfterMs = 1_000;

/** The server's limit of calls that run at a time, per principal and in all. */
export const planServerConcurrency: PlanStep = (_, environment) => {
  const { slots, anonymousByIp } = environment;
  if (!slots) return undefined;
  const { perKey, total } = slots.limits;
  return {
    name: 'concurrency',
    origin: 'default',
    detail: [`${perKey} at a time per principal`, Number.isFinite(total) && `${total} in all`]
      .filter(Boolean)
      .join(', '),
    step: (call, next) =>
      inSlot(call, next, {
        pool: slots.pool,
        key: callerKey(call.request, anonymousByIp),
        full() {
          // All principals together: the server's own limit, which a load balancer should hear of.
          if (Number.isFinite(total) && slots.pool.load.running >= total) {
            Object.assign(call.verdict, { outcome: 'limited', reason: 'TW_OVERLOAD' });
            throw new OverloadError(retryAfterMs);
          }
          return refuseFull(call, 'Too many of your calls run or wait already');
        },
      }),
  };
};

/** The limit of one tool, from `@Concurrency`. */
export const planToolConcurrency: PlanStep = (draft, { anonymousByIp }: Environment) => {
  const policy = Concurrency.of(draft);
  if (!policy) return undefined;
  const { max, per, queue } = policy.options;
  const total = per === 'tool' ? max : Number.POSITIVE_INFINITY;
  const pool = new SlotPool({ perKey: max, total, queue });
  return {
    name: 'concurrency of the tool',
    origin: policy.origin,
    detail: `${max} at a time per ${per}, ${queue} may wait`,
    step: (call, next) =>
      inSlot(call, next, {
        pool,
        key: callerKey(call.request, anonymousByIp),
        full: () => refuseFull(call, `Too many calls of ${draft.name} run or wait already`),
      }),
  };
};

interface Admission {
  pool: SlotPool;
  key: string;
  full(): unknown;
}

function inSlot(
  call: ActiveCall,
  next: Next<unknown>,
  { pool, key, full }: Admission,
): MaybePromise<unknown> {
  const slot = pool.acquire({ key, signal: () => call.signal });
  if (isPromise(slot)) {
    const since = call.environment.clock.now();
    return slot.then((release) => {
      call.queuedMs += call.environment.clock.now() - since;
      if (release) return hold(release);
      return call.signal.aborted ? cancelled(call) : full();
    });
  }
  return slot ? hold(slot) : full();

  function hold(first: Release): MaybePromise<unknown> {
    let release = first;
    let over = false;
    const end = () => {
      over = true;
      release();
    };
    call.onWait({
      suspend: () => release(),
      resume: () =>
        after(
          () => (over ? undefined : pool.acquire({ key, resumed: true })),
          (again) => {
            release = again ?? release;
            // The call may have been given up while it waited to go on.
            if (over) release();
          },
        ),
    });
    return after(
      next,
      (result) => (end(), result),
      (error) => {
        end();
        throw error;
      },
    );
  }
}

function refuseFull(call: ActiveCall, what: string) {
  return refuse(call, {
    outcome: 'limited',
    reason: 'TW_CONCURRENCY',
    text: `${what}; retry in ${Math.ceil(retryAfterMs / 1_000)} s`,
    rpcCode: 429,
    meta: { retryAfterMs },
  });
}
