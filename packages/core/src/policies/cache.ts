import { canonicalJson, lazily } from '@toolwright/json';
import { createHmac, hash, hkdfSync, randomUUID } from 'node:crypto';
import type { PromptResult, ResourceResult, ToolResult } from '../base/content.js';
import { duration, parsePositiveDuration, positiveCount, required } from '../base/options/rules.js';
import type { Duration } from '../base/options/option-schema.js';
import { ConfigurationError } from '../base/errors/configuration-error.js';
import { type MaybePromise, after } from '../base/maybe-promise.js';
import { factsOf } from '../base/operation-kinds.js';
import { type OptionSchema, parseOptions } from '../base/options/option-schema.js';
import type { Principal } from '../base/request-context.js';
import { Seal } from '../base/seal.js';
import type { ActiveCall } from '../call/active-call.js';
import type { Environment } from '../call/environment.js';
import { TimedStore } from '../call/limits/timed-store.js';
import { type AnyDraft, locationOf } from '../call/operation/draft.js';
import { operationKey } from '../call/operation/keys.js';
import type { Next } from '../call/operation/operation.js';
import { MemoryResultCache, type ResultCache } from '../ports/result-cache.js';
import { definePolicy } from './define-policy.js';
import type { Guard, PlanGuard } from './guard.js';

export interface CacheOptions {
  /** How long a result may be used again. */
  ttl: Duration;
  /**
   * How many results are kept for this tool. When there are too many, the one that was unused for longest is
   * removed. Default 1,000.
   */
  entries?: number;
}

const cacheOptions = {
  ttl: required(duration),
  entries: { ...positiveCount, default: 1_000 },
} satisfies OptionSchema<CacheOptions>;

/**
 * Returns the earlier result when the same principal makes the same call with equal arguments. It works for
 * prompts, resources, and tools with `readOnlyHint: true`. On the method of any other tool it is a boot
 * error. On a class it skips such tools. Failed calls are not kept.
 *
 * @example
 * @McpTool({ annotations: { readOnlyHint: true } })
 * @Cache({ ttl: '30s' }) async statistics() { … }
 */
export const Cache = definePolicy('cache', {
  parse: (options: CacheOptions): { ttlMs: number; entries: number } => {
    const { ttl, entries } = parseOptions('@Cache', cacheOptions, options);
    return { ttlMs: parsePositiveDuration(ttl), entries };
  },
});

type Result = ToolResult | PromptResult | ResourceResult;

const planCache: PlanGuard = (draft, environment) => {
  const policy = Cache.of(draft);
  if (!policy) return undefined;
  // Prompts and resources only read. A tool must say that it only reads.
  if (factsOf(draft).hasHints && draft.annotations.readOnlyHint !== true) {
    if (policy.origin === 'method') throw notReadOnly(draft);
    return undefined;
  }
  const { ttlMs, entries } = policy.options;
  const kept = resultKeeper(draft, environment, entries);
  return {
    origin: policy.origin,
    detail: `${ttlMs} ms, ${entries} results`,
    step(call, next) {
      // Another caller may not see this result (server/utilities/caching, cacheScope), also if the two differ only in
      // a scope or a claim, because the method may have read it. The key is a digest, because arguments may be
      // sensitive or long.
      const contract = 'contract' in call.operation ? call.operation.contract : '';
      const asked = hash('sha256', canonicalJson([call.given, call.request.uri]), 'base64url');
      const key = `${operationKey(call.operation)} ${contract} ${principalDigest(call.request.principal)} ${asked}`;
      return after(
        () => kept.get(key) as MaybePromise<Result | undefined>,
        (found) => found ?? run(call, next, (result) => kept.set(key, result, ttlMs)),
      );
    },
  };
};

function run(call: ActiveCall, next: Next<unknown>, keep: (result: Result) => void): MaybePromise<Result> {
  return after(
    () => next() as MaybePromise<Result>,
    (result) => {
      if (!result.isError && !call.pending) keep(result);
      return result;
    },
  );
}

function notReadOnly(draft: AnyDraft): ConfigurationError {
  return new ConfigurationError([
    {
      code: 'TW_POLICY_INVALID',
      message: `The tool "${draft.name}" has @Cache but may change something: repeated calls would not run.`,
      fix: 'Add annotations: { readOnlyHint: true } if it only reads. Otherwise remove @Cache.',
      ...locationOf(draft),
    },
  ]);
}

/**
 * Returns the earlier result of the same call. Only the same principal gets it, because another one may not
 * see it.
 */
export const cacheGuard: Guard = {
  name: 'cache',
  position: 130,
  summary: 'Gives the earlier result of the same call to the same principal.',
  decorators: { Cache },
  plan: planCache,
};

/** Keeps the results of one operation. It never fails: a result that cannot be kept or read is a miss. */
interface ResultKeeper {
  get(key: string): MaybePromise<unknown>;
  set(key: string, result: object, ttlMs: number): void;
}

/**
 * The results of one operation: in the cache that processes share, or else in this process. No key tells other processes
 * which of several operations with one name a result is of. So an operation that is not for everybody keeps its results
 * here.
 */
function resultKeeper(
  { audience }: AnyDraft,
  { cache, secrets, server, clock, logger }: Environment,
  entries: number,
): ResultKeeper {
  if (!cache || !secrets || audience) return new MemoryResultCache(clock, entries);
  return new SharedResults(
    cache,
    { secrets, server },
    { clock, store: new TimedStore('store of cached results', { clock, logger }) },
  );
}

/**
 * Results in a store outside of the process. They are sealed, because they may contain what is marked sensitive, and
 * so that nobody with access to the store can make up a result. Keys reveal nothing about the arguments.
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
    // The time is sealed, too. Otherwise a program with access to the store could put an old result back.
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

/**
 * The SHA-256 (base64url) of everything that a method can see of a principal, extra fields and claims included. None
 * of their text is kept. Two principals have the same digest only if no method could see a difference. The order of
 * scopes does not matter.
 */
export function principalDigest(principal: Principal | undefined): string {
  if (!principal) return 'anonymous';
  const scopes = [...(principal.scopes ?? [])].sort();
  return hash('sha256', JSON.stringify([canonical(principal), canonical(scopes)]), 'base64url');
}

/**
 * An object whose inside cannot be seen from outside is equal only to itself, and to nothing in another process.
 * The id of the process is drawn at first need: workerd forbids randomness while modules are loaded.
 */
const thisProcess = lazily(() => randomUUID());
const identities = new WeakMap<object, number>();
let lastIdentity = 0;

function identityOf(value: object): number {
  let identity = identities.get(value);
  if (identity === undefined) identities.set(value, (identity = ++lastIdentity));
  return identity;
}

/** A form in JSON, with the type beside each value. It keeps `1` and `'1'`, or a date and its text, apart. */
function canonical(value: unknown, around: readonly object[] = []): unknown {
  if (typeof value === 'bigint') return ['bigint', String(value)];
  if (typeof value === 'number') return ['number', Object.is(value, -0) ? '-0' : String(value)];
  if (typeof value === 'symbol' || value === undefined) return [typeof value, String(value)];
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  // An object that contains itself has no end, so it is compared by identity.
  if (typeof value === 'function' || around.includes(value))
    return ['object', thisProcess(), identityOf(value)];
  const inside = [...around, value];
  if (Array.isArray(value)) return ['array', value.map((item) => canonical(item, inside))];
  if (value instanceof Date) return ['date', value.getTime()];
  if (value instanceof Map || value instanceof Set)
    return [value.constructor.name, [...value].map((item) => canonical(item, inside))];
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return ['object', thisProcess(), identityOf(value)];
  const members = Object.entries(value).filter(([name]) => around.length > 0 || name !== 'scopes');
  return [
    'members',
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, canonical(each, inside)]),
  ];
}
