import { createHmac, hkdfSync } from 'node:crypto';
import { Seal } from '../../base/seal.js';
import type { MaybePromise } from '../../base/maybe-promise.js';
import type { Environment } from '../../call/environment.js';
import { TimedStore } from '../../call/limits/timed-store.js';
import { MemoryResultCache } from '../../ports/memory-result-cache.js';
import type { ResultCache } from '../../ports/result-cache.js';

/** Keeps the results of one operation. It never fails: a result that cannot be kept or read is a miss. */
export interface ResultKeeper {
  get(key: string): MaybePromise<unknown>;
  set(key: string, result: object, ttlMs: number): void;
}

/** The results of one operation: in the cache that processes share, or else in this process. */
export function resultKeeper(
  { cache, secrets, server, clock, logger }: Environment,
  entries: number,
): ResultKeeper {
  if (!cache || !secrets) return new MemoryResultCache(clock, entries);
  return new SharedResults(
    cache,
    { secrets, server },
    { clock, store: new TimedStore('store of cached results', { clock, logger }) },
  );
}

/**
 * Results in a store outside of the process. They are sealed, because they may contain what is marked
 * sensitive, and so that nobody with access to the store can make up a result. Keys say nothing about the
 * arguments.
 */
class SharedResults implements ResultKeeper {
  readonly #seal: Seal;
  readonly #key: Buffer;

  constructor(
    private readonly cache: ResultCache,
    { secrets, server }: { secrets: readonly string[]; server: string },
    private readonly ports: { clock: Environment['clock']; store: TimedStore },
  ) {
    this.#seal = new Seal(secrets, 'cached result');
    this.#key = Buffer.from(hkdfSync('sha256', secrets[0]!, server, 'toolwright cached result key', 32));
  }

  async get(key: string): Promise<unknown> {
    const name = this.#nameOf(key);
    const answer = await this.ports.store.ask(() => this.cache.get(name));
    if (typeof answer?.value !== 'string') return undefined;
    const [until, result] = (this.#seal.open(answer.value, name) ?? []) as [until?: number, result?: object];
    return until !== undefined && until > this.ports.clock.now() ? result : undefined;
  }

  set(key: string, result: object, ttlMs: number): void {
    const name = this.#nameOf(key);
    // Whoever writes to the store could put an old result back.
    const sealed = this.#seal.seal([this.ports.clock.now() + ttlMs, result], name);
    // The caller does not wait for the store.
    void (async () => this.cache.set(name, sealed, ttlMs))().catch((error: unknown) =>
      this.ports.store.failed(error),
    );
  }

  #nameOf(key: string): string {
    return createHmac('sha256', this.#key).update(key).digest('base64url');
  }
}
