import { Concurrency } from '../decorators/concurrency.js';
import { OverloadError } from '../errors/overload-error.js';
import { after, isPromise } from '../pipeline/after.js';
import type { ActiveCall } from '../pipeline/active-call.js';
import { callerKey } from '../pipeline/caller-key.js';
import type { Environment } from '../pipeline/environment.js';
import type { MaybePromise, Next } from '../pipeline/operation.js';
import type { PlannedStep, PlanStep } from '../pipeline/plan-step.js';
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
    step: inSlot({
      pool: slots.pool,
      anonymousByIp,
      full(call) {
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
    step: inSlot({
      pool,
      anonymousByIp,
      full: (call) => refuseFull(call, `Too many calls of ${draft.name} run or wait already`),
    }),
  };
};

interface Admission {
  pool: SlotPool;
  anonymousByIp: boolean;
  full(call: ActiveCall): unknown;
}

function inSlot({ pool, anonymousByIp, full }: Admission): PlannedStep['step'] {
  return (call, next) => {
    const key = callerKey(call.request, anonymousByIp);
    const slot = pool.acquire({ key, signal: () => call.signal });
    if (!isPromise(slot)) return slot ? hold(new HeldSlot(pool, key, slot), call, next) : full(call);
    const since = call.environment.clock.now();
    return slot.then((release) => {
      call.queuedMs += call.environment.clock.now() - since;
      if (release) return hold(new HeldSlot(pool, key, release), call, next);
      return call.signal.aborted ? cancelled(call) : full(call);
    });
  };
}

function hold(slot: HeldSlot, call: ActiveCall, next: Next<unknown>): MaybePromise<unknown> {
  call.onWait(slot);
  return after(
    next,
    (result) => {
      slot.end();
      return result;
    },
    (error) => {
      slot.end();
      throw error;
    },
  );
}

/** The slot of a running call: given back at its end, and lent to others while the call waits for a person. */
class HeldSlot {
  #over = false;

  constructor(
    private readonly pool: SlotPool,
    private readonly key: string,
    private release: Release,
  ) {}

  suspend(): void {
    this.release();
  }

  resume(): MaybePromise<void> {
    return after(
      () => (this.#over ? undefined : this.pool.acquire({ key: this.key, resumed: true })),
      (again) => {
        this.release = again ?? this.release;
        // The call may have been given up while it waited to go on.
        if (this.#over) this.release();
      },
    );
  }

  end(): void {
    this.#over = true;
    this.release();
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
