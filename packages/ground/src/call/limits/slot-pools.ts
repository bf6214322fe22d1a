import { getOrMake, type MaybePromise, after } from '@toolwright/json';
import { hash } from 'node:crypto';
import type { Clock } from '../../ports/clock-and-ids.js';
import type { LeaseLimit, LeaseStore, ReleaseLease } from '../../ports/claim-store.js';
import type { Logger } from '../../ports/logger.js';
import { type Release, type SlotLimits, SlotPool, type SlotRequest } from './slot-pool.js';
import {
  type Candidate,
  candidateKey,
  countedKey,
  operationKey,
  partyOf,
  writtenAudience,
} from '../operation/keys.js';
import { TimedStore } from './timed-store.js';

/**
 * The pools of `@Concurrency`. The key is an operation, or the name of a group. Pools live longer than the
 * chains that use them, because a chain that is planned again must still know the running calls.
 */
export class SlotPools {
  readonly #pools = new Map<string, SlotPool>();
  readonly #ofAudiences = new AudiencePools();

  /** @param shared present where processes share their slots */
  constructor(private readonly shared?: LeasePorts) {}

  *[Symbol.iterator](): Generator<readonly [name: string, pool: SlotPool]> {
    yield* this.#pools;
    yield* this.#ofAudiences;
  }

  /**
   * The pool of one operation. An operation that is not for everybody never shares it with another one of its name. No
   * name tells the two apart in other processes, so its slots are those of this process.
   */
  ofOperation(operation: Candidate, limits: SlotLimits): SlotPool {
    if (!writtenAudience(operation)) return this.of(countedKey(operation), limits);
    return this.#ofAudiences.of(operation, limits);
  }

  of(name: string, limits: SlotLimits): SlotPool {
    const pool = getOrMake(this.#pools, name, () =>
      this.shared ? new LeasedSlotPool(limits, name, this.shared) : new SlotPool(limits),
    );
    pool.limits = limits;
    return pool;
  }
}

/** From how many pools on it is looked which of them nobody uses any more. */
const MANY_POOLS = 256;

/**
 * The pools of operations that are not for everybody. Tenants come and go, so a pool is kept only as long as its operation
 * or a call that holds a slot.
 */
class AudiencePools {
  readonly #pools = new Map<string, { readonly name: string; readonly pool: WeakRef<SlotPool> }>();
  #lookAt = MANY_POOLS;

  /** Operators see the name of the operation. Several pools may have it. */
  *[Symbol.iterator](): Generator<readonly [name: string, pool: SlotPool]> {
    for (const { name, pool } of this.#pools.values()) {
      const used = pool.deref();
      if (used) yield [name, used];
    }
  }

  of(operation: Candidate, limits: SlotLimits): SlotPool {
    const key = candidateKey(operation);
    const known = this.#pools.get(key)?.pool.deref();
    if (known) {
      known.limits = limits;
      return known;
    }
    const pool = new SlotPool(limits);
    this.#pools.set(key, { name: operationKey(operation), pool: new WeakRef(pool) });
    if (this.#pools.size >= this.#lookAt) this.#forgetUnused();
    return pool;
  }

  #forgetUnused(): void {
    for (const [key, { pool }] of this.#pools) if (!pool.deref()) this.#pools.delete(key);
    this.#lookAt = Math.max(MANY_POOLS, 2 * this.#pools.size);
  }
}

/**
 * How long a call waits before it asks for a lease again, in milliseconds. The pause is random, between half of this
 * and all of it.
 */
const ASK_AGAIN_MS = 60;

interface LeasePorts {
  readonly leases: LeaseStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Slots that all processes of a server share. A call first takes a slot of its process, where callers are
 * served in turn, and then a lease that counts everywhere. Between processes there is no order: each call
 * that waits for a lease asks again and again. While the store does not answer, the slots of the process are
 * the limit.
 */
export class LeasedSlotPool extends SlotPool {
  readonly #store: TimedStore;

  constructor(
    limits: SlotLimits,
    /** The same in all processes. */
    private readonly name: string,
    private readonly ports: LeasePorts,
  ) {
    super(limits);
    this.#store = new TimedStore('store of the concurrency slots', ports, {
      patienceMs: ports.leases.patienceMs,
      consequence: 'this process has the slots for itself',
    });
  }

  override acquire(request: SlotRequest): MaybePromise<Release | undefined> {
    return after(
      () => super.acquire(request),
      (release) => release && this.#withLease(request, release),
    );
  }

  async #withLease(request: SlotRequest, release: Release): Promise<Release | undefined> {
    const limits = this.#limitsOf(request.key);
    for (;;) {
      // A lease that comes too late is given back. Otherwise the store would renew it for ever.
      const answer = await this.#store.ask(
        () => this.ports.leases.acquire(limits),
        (lease) => this.#giveBack(lease),
      );
      if (!answer) return release;
      if (answer.value) return this.#both(release, answer.value);
      await this.#pause(request);
      if (!request.resumed && request.signal?.().aborted) {
        release();
        return undefined;
      }
    }
  }

  #both(release: Release, lease: ReleaseLease): Release {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#giveBack(lease);
      release();
    };
  }

  #giveBack(lease: ReleaseLease | undefined): void {
    // If this fails, the lease still ends: the store drops leases that it cannot renew.
    void (async () => lease?.())().catch((error: unknown) => this.#store.failed(error));
  }

  #pause({ signal, resumed }: SlotRequest): Promise<void> {
    return new Promise((resolve) => {
      const cancelled = resumed ? undefined : signal?.();
      const done = () => {
        cancel();
        cancelled?.removeEventListener('abort', done);
        resolve();
      };
      // If all processes asked at the same moment, one of them could always be the last.
      const cancel = this.ports.clock.after(ASK_AGAIN_MS * (0.5 + Math.random() / 2), done);
      cancelled?.addEventListener('abort', done, { once: true });
      if (cancelled?.aborted) done();
    });
  }

  #limitsOf(key: string): readonly LeaseLimit[] {
    const { perKey, perTenant = Number.POSITIVE_INFINITY, total } = this.limits;
    const limits: LeaseLimit[] = [];
    if (Number.isFinite(total)) limits.push({ key: this.name, max: total });
    // The keys contain the identity of the caller, which the store does not need.
    const ofKey = (each: string) => `${this.name} ${hash('sha256', each, 'base64url')}`;
    const party = partyOf(key);
    if (perTenant < total && party !== key) limits.push({ key: ofKey(party), max: perTenant });
    const most = party === key ? Math.min(perKey, perTenant) : perKey;
    if (most < total) limits.push({ key: ofKey(key), max: most });
    return limits;
  }
}
